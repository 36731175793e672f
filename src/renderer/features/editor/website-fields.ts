import { forEachSetting, isList, type ListName } from '../../../shared/fields.ts'
import { tidyLines } from '../../../shared/validate.ts'
import {
  createDefaults,
  type FieldName,
  PRIVACY,
  settingNames,
  type SeenSettings,
  type SettingName,
  type WebsiteChanges,
  type WebsiteDraft,
  type WebsiteSettings,
  type WebsiteView,
} from '../../../shared/website.ts'

/** The fields as the form holds them. undefined: the service doesn't show it, so there is nothing to begin with. */
export type Fields = {
  [N in FieldName]: N extends Exclude<SettingName, ListName> ? WebsiteSettings[N] | undefined : string
}

/** What the form begins with: the website as it is, or the defaults of a new one. */
export function fieldsOf(website: WebsiteView | null): Fields {
  const from: Partial<WebsiteSettings> = website ?? createDefaults
  const settings = forEachSetting((name) => {
    const value = from[name]
    if (!isList(name)) return value
    return Array.isArray(value) ? value.join('\n') : ''
  })
  return { ...settings, domain: website?.domain ?? '', password: '' } as Fields
}

/** A password left empty isn't part of it: for a website that isn't created yet, the one that waits then stays. */
export function draftOf(fields: Fields): WebsiteDraft {
  const settings = forEachSetting((name) =>
    isList(name) ? tidyLines([fields[name]]) : (fields[name] ?? createDefaults[name]),
  ) as WebsiteSettings
  const hasPassword = settings.privacy === PRIVACY.password && fields.password !== ''
  return { domain: fields.domain.trim(), ...settings, ...(hasPassword && { password: fields.password }) }
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
  if (typed.password && privacy === PRIVACY.password) changes.password = typed.password
  for (const name of cleared) changes[name] = []
  for (const name of settingNames) {
    const value = typed[name]
    if (value === undefined) continue
    if (!isList(name)) {
      if (value !== website[name]) Object.assign(changes, { [name]: value })
      continue
    }
    const lines = tidyLines([typed[name] ?? ''])
    if (lines.join('\n') !== (website[name] ?? []).join('\n')) changes[name] = lines
  }
  return changes
}
