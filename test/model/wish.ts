import type { SettingName, WebsiteSettings } from '../../src/shared/website.ts'
import type { Fields } from './service/records.ts'

/** What the person wants of a setting, to be held against what the service has. `privacy` has the password with it. */
export type Wish = {
  at: number
  /** The person has set it back to what it was before anything was sent. */
  isBack?: boolean
} & (
  | { unit: 'privacy'; privacy: number; password: string | undefined }
  | { unit: 'email' | 'exclude_bots'; value: boolean }
  /** The person saw the list and changed lines of it; `exact`: nobody could see it, so it's all of it. */
  | { unit: ListName; add: Set<string>; remove: Set<string>; exact: boolean }
)
export type ListName = 'exclude_ips' | 'exclude_params'

/** What is set of a website, with the password. */
export type Changes = Partial<WebsiteSettings> & { password?: string | undefined }

export const linesOf = (text: string | null): string[] => (text ?? '').split(/[\r\n]+/).filter((line) => line !== '')

export function isFulfilled(wish: Wish, fields: Readonly<Fields>): boolean {
  switch (wish.unit) {
    case 'privacy':
      return fields.privacy === wish.privacy && (wish.password === undefined || fields.password === wish.password)
    case 'email':
    case 'exclude_bots':
      return (fields[wish.unit] === 1) === wish.value
    default: {
      const lines = new Set(linesOf(fields[wish.unit]))
      if (wish.exact && lines.size !== wish.add.size) return false
      return [...wish.add].every((line) => lines.has(line)) && ![...wish.remove].some((line) => lines.has(line))
    }
  }
}

/** The wish that changes make of an earlier one; `seen`: the website as the person saw it. */
export function wished(unit: SettingName, changes: Changes, seen: Changes, before: Wish | undefined, at: number): Wish {
  if (unit === 'privacy') {
    const privacy = changes.privacy ?? seen.privacy ?? 1
    const kept = before?.unit === 'privacy' && before.privacy === privacy ? before.password : undefined
    return { unit, privacy, password: privacy === 2 ? (changes.password ?? kept) : undefined, at }
  }
  if (unit === 'email' || unit === 'exclude_bots') return { unit, value: changes[unit] ?? false, at }
  const lines = changes[unit] ?? []
  const shown = seen[unit]
  const earlier = before?.unit === unit ? before : null
  if (shown === undefined || earlier?.exact) return { unit, add: new Set(lines), remove: new Set(), exact: true, at }
  const ours = new Set(lines)
  const add = new Set(
    [...(earlier?.add ?? []), ...lines.filter((line) => !shown.includes(line))].filter((line) => ours.has(line)),
  )
  const removed = shown.filter((line) => !ours.has(line))
  const remove = new Set([...(earlier?.remove ?? []), ...removed].filter((line) => !ours.has(line)))
  return { unit, add, remove, exact: false, at }
}
