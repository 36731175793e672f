import { settingNames, type SettingName, type WebsiteSettings } from '../../../src/shared/website.ts'
import { isSwitch, linesOf, type Fields, type SwitchName } from '../service/records.ts'

/** The value that the user wants for a setting. `privacy` includes the password. */
export type Intent = {
  at: number
  /** When the first pending change was made, if the user has set the field back since. Nothing may be left to send. */
  backFrom?: number
} & (
  | { unit: 'privacy'; privacy: number; password: string | undefined }
  | { unit: SwitchName; value: boolean }
  /** The lines that the user added and removed, with times. `exact`: the user couldn't see the list, so `add` is all of it. */
  | { unit: ListName; add: Lines; remove: Lines; exact: boolean }
)
type Lines = ReadonlyMap<string, number>
export type ListName = 'exclude_ips' | 'exclude_params'

export const isList = (name: string): name is ListName => name === 'exclude_ips' || name === 'exclude_params'

export type Changes = Partial<WebsiteSettings> & { password?: string | undefined }

export function isFulfilled(intent: Intent, fields: Readonly<Fields>): boolean {
  if (intent.unit === 'privacy')
    return fields.privacy === intent.privacy && (intent.password === undefined || fields.password === intent.password)
  if ('value' in intent) return (fields[intent.unit] === 1) === intent.value
  const lines = new Set(linesOf(fields[intent.unit]))
  if (intent.exact && lines.size !== intent.add.size) return false
  return (
    [...intent.add.keys()].every((line) => lines.has(line)) &&
    ![...intent.remove.keys()].some((line) => lines.has(line))
  )
}

/** Returns the settings whose value on the service is not the one that the app shows. */
export const notAsShown = (shown: Partial<WebsiteSettings>, fields: Readonly<Fields>): SettingName[] =>
  settingNames.filter(
    (name) =>
      shown[name] !== undefined && !isFulfilled(nextIntent(name, { [name]: shown[name] }, {}, undefined, 0), fields),
  )

/** True if both intents have the same value; always false for lists, whose intents are changes. */
export function isSame(one: Intent, other: Intent): boolean {
  if (one.unit === 'privacy')
    return other.unit === 'privacy' && one.privacy === other.privacy && one.password === other.password
  return 'value' in one && 'value' in other && one.value === other.value
}

/** Splits an intent for a list into its lines, because lists are merged line by line. */
export function partsOf(intent: Intent): Intent[] {
  if (!('add' in intent) || intent.exact || intent.add.size + intent.remove.size === 0) return [intent]
  const none: Lines = new Map()
  const part = (add: Lines, remove: Lines, at: number): Intent => ({ ...intent, add, remove, at })
  return [
    ...[...intent.add].map(([line, at]) => part(new Map([[line, at]]), none, at)),
    ...[...intent.remove].map(([line, at]) => part(none, new Map([[line, at]]), at)),
  ]
}

/** Returns the intent after a change. `seen`: the website as the user saw it; `before`: the intent that is still pending. */
export function nextIntent(
  unit: SettingName,
  changes: Changes,
  seen: Changes,
  before: Intent | undefined,
  at: number,
): Intent {
  if (unit === 'privacy') {
    const privacy = changes.privacy ?? seen.privacy ?? 1
    const kept = before?.unit === 'privacy' && before.privacy === privacy ? before.password : undefined
    return { unit, privacy, password: privacy === 2 ? (changes.password ?? kept) : undefined, at }
  }
  if (isSwitch(unit)) return { unit, value: changes[unit] ?? false, at }
  const lines = changes[unit] ?? []
  const shown = seen[unit]
  const earlier = before?.unit === unit ? before : null
  const timed = (from: readonly string[], earlierLines: Lines = new Map()): Lines =>
    new Map([...from.map((line) => [line, at] as const), ...earlierLines])
  // The user could see nothing of the list but an earlier intent, so typing the same lines again changes nothing.
  if (earlier?.exact && shown !== undefined && isSameSet(lines, shown) && isSameSet(lines, [...earlier.add.keys()]))
    return earlier
  if (shown === undefined || earlier?.exact) return { unit, add: timed(lines), remove: timed([]), exact: true, at }
  const ours = new Set(lines)
  const added = timed(
    lines.filter((line) => !shown.includes(line)),
    earlier?.add,
  )
  const removed = timed(
    shown.filter((line) => !ours.has(line)),
    earlier?.remove,
  )
  const add = new Map([...added].filter(([line]) => ours.has(line)))
  const remove = new Map([...removed].filter(([line]) => !ours.has(line)))
  return { unit, add, remove, exact: false, at }
}

/** Ignores the order and repeated lines. */
export const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  new Set([...one, ...other]).size === new Set(one).size && new Set(one).size === new Set(other).size

export const shownOf = (website: Partial<WebsiteSettings>): Changes =>
  Object.fromEntries(settingNames.flatMap((name) => (website[name] === undefined ? [] : [[name, website[name]]])))
