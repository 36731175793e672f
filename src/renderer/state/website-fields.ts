import type { ListName } from '../../shared/fields.ts'
import { tidyLines } from '../../shared/validate.ts'
import {
  createDefaults,
  type FieldName,
  PRIVACY,
  settingNames,
  type Privacy,
  type SeenSettings,
  type SettingName,
  type WebsiteChanges,
  type WebsiteDraft,
  type WebsiteView,
} from '../../shared/website.ts'

/** The fields as the form holds them. undefined: the service doesn't show it, so there is nothing to begin with. */
export interface Fields {
  domain: string
  privacy: Privacy | undefined
  password: string
  email: boolean | undefined
  exclude_bots: boolean | undefined
  exclude_ips: string
  exclude_params: string
}

/** What the form begins with: the website as it is, or the defaults of a new one. */
export function fieldsOf(website: WebsiteView | null): Fields {
  const { privacy, email, exclude_bots } = website ?? createDefaults
  return {
    domain: website?.domain ?? '',
    privacy,
    password: '',
    email,
    exclude_bots,
    exclude_ips: website?.exclude_ips?.join('\n') ?? '',
    exclude_params: website?.exclude_params?.join('\n') ?? '',
  }
}

/** A password left empty isn't part of it: for a website that isn't created yet, the one that waits then stays. */
export function draftOf(fields: Fields): WebsiteDraft {
  const privacy = fields.privacy ?? createDefaults.privacy
  return {
    domain: fields.domain.trim(),
    privacy,
    ...(privacy === PRIVACY.password && fields.password !== '' ? { password: fields.password } : {}),
    email: fields.email ?? createDefaults.email,
    exclude_bots: fields.exclude_bots ?? createDefaults.exclude_bots,
    exclude_ips: tidyLines([fields.exclude_ips]),
    exclude_params: tidyLines([fields.exclude_params]),
  }
}

/** What a website shows in a field; nothing, where it shows none. */
export function seenOf(website: WebsiteView | null, name: keyof Fields): SeenSettings {
  if (website === null || name === 'domain' || name === 'password' || website[name] === undefined) return {}
  return { [name]: website[name] }
}

/** The fields in which a website shows something else by now than what was seen in them. */
export const overtakenBy = (website: WebsiteView, seen: SeenSettings): SettingName[] =>
  settingNames.filter(
    (name) =>
      name in seen && website[name] !== undefined && JSON.stringify(seen[name]) !== JSON.stringify(website[name]),
  )

/** The fields that weren't shown, and that another change waits in by now. */
export const replacedUnseen = (was: WebsiteView | null, { pending }: WebsiteView): FieldName[] =>
  pending.filter((name) => !was?.pending.includes(name) && (name === 'password' || was?.[name] === undefined))

/** Only what was touched and differs from what the website has: a field that isn't shown is never sent untouched. */
export function changesOf(website: WebsiteView, typed: Partial<Fields>, cleared: readonly ListName[]): WebsiteChanges {
  const changes: WebsiteChanges = {}
  const privacy = typed.privacy ?? website.privacy
  if (typed.privacy !== undefined && typed.privacy !== website.privacy) changes.privacy = typed.privacy
  if (typed.password && privacy === PRIVACY.password) changes.password = typed.password
  if (typed.email !== undefined && typed.email !== website.email) changes.email = typed.email
  if (typed.exclude_bots !== undefined && typed.exclude_bots !== website.exclude_bots) {
    changes.exclude_bots = typed.exclude_bots
  }
  for (const name of cleared) changes[name] = []
  for (const name of ['exclude_ips', 'exclude_params'] as const) {
    const text = typed[name]
    if (text === undefined) continue
    const lines = tidyLines([text])
    if (lines.join('\n') !== (website[name] ?? []).join('\n')) changes[name] = lines
  }
  return changes
}
