import { mapSettings, isListField, type ListName } from '../../../shared/fields.ts'
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

/**
 * The values of the form. A list is a text with one line per item. If the service doesn't return a setting, its value is
 * undefined; for a list, it is '', the same as for an empty list.
 */
export type FormValues = {
  [N in FieldName]: N extends Exclude<SettingName, ListName> ? WebsiteSettings[N] | undefined : string
}

/** Returns the first values of the form: those of the website, or `start` and the defaults for a new website. */
export function initialFormValues(website: WebsiteView | null, start: Partial<WebsiteSettings> = {}): FormValues {
  const from: Partial<WebsiteSettings> = website ?? { ...createDefaults, ...start }
  const settings = mapSettings((name) => {
    const value = from[name]
    if (!isListField(name)) return value
    return Array.isArray(value) ? value.join('\n') : ''
  })
  return { ...settings, domain: website?.domain ?? '', password: '' } as FormValues
}

/**
 * Returns the draft of the form. Leaves out an empty password, so that a pending one is kept, and any password that the privacy
 * doesn't use.
 */
export function draftOf(fields: FormValues): WebsiteDraft {
  const settings = mapSettings((name) =>
    isListField(name) ? tidyLines([fields[name]]) : (fields[name] ?? createDefaults[name]),
  ) as WebsiteSettings
  const hasPassword = settings.privacy === PRIVACY.password && fields.password !== ''
  return { domain: fields.domain.trim(), ...settings, ...(hasPassword && { password: fields.password }) }
}

/** Returns an object with only this setting, or an empty one if its value isn't known. */
export function shownSettingOf(website: WebsiteView | null, name: keyof FormValues): SeenSettings {
  if (website === null || name === 'domain' || name === 'password' || website[name] === undefined) return {}
  return { [name]: website[name] }
}

/** Returns the settings whose values differ from those that the user saw. Leaves out values that the service doesn't return. */
export const settingsChangedSince = (website: WebsiteView, seen: SeenSettings): SettingName[] =>
  settingNames.filter(
    (name) =>
      name in seen && website[name] !== undefined && JSON.stringify(seen[name]) !== JSON.stringify(website[name]),
  )

/** Returns the fields with a new pending change whose values the service doesn't return. */
export const newlyPendingWriteOnlyFields = (was: WebsiteView | null, { pending }: WebsiteView): FieldName[] =>
  pending.filter((name) => !was?.pending.includes(name) && (name === 'password' || was?.[name] === undefined))

/** Returns the changes to send, with an empty list for each list in `cleared`. A password needs the privacy "Password". */
export function changesOf(
  website: WebsiteView,
  typed: Partial<FormValues>,
  cleared: readonly ListName[],
): WebsiteChanges {
  const changes: WebsiteChanges = {}
  const privacy = typed.privacy ?? website.privacy
  if (typed.password && privacy === PRIVACY.password) changes.password = typed.password
  for (const name of cleared) changes[name] = []
  for (const name of settingNames) {
    const value = typed[name]
    if (value === undefined) continue
    if (!isListField(name)) {
      if (value !== website[name]) Object.assign(changes, { [name]: value })
      continue
    }
    const lines = tidyLines([typed[name] ?? ''])
    if (lines.join('\n') !== (website[name] ?? []).join('\n')) changes[name] = lines
  }
  return changes
}
