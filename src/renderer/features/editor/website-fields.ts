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
 * The fields as the form holds them, each list as a text. Undefined: the service doesn't show the value; for a list, the text is
 * empty then.
 */
export type FormValues = {
  [N in FieldName]: N extends Exclude<SettingName, ListName> ? WebsiteSettings[N] | undefined : string
}

/** Returns the initial values of the form: those of the website, or for a new one `start` and the defaults. */
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
 * Converts the form to a draft. The password is left out if the privacy is not "Password", or if it is empty, so that a pending
 * one is kept.
 */
export function draftOf(fields: FormValues): WebsiteDraft {
  const settings = mapSettings((name) =>
    isListField(name) ? tidyLines([fields[name]]) : (fields[name] ?? createDefaults[name]),
  ) as WebsiteSettings
  const hasPassword = settings.privacy === PRIVACY.password && fields.password !== ''
  return { domain: fields.domain.trim(), ...settings, ...(hasPassword && { password: fields.password }) }
}

/**
 * Returns the website's value of a setting, as an object with only this setting. Empty for a new website, for its domain and
 * password, and for a setting that the service doesn't show.
 */
export function shownSettingOf(website: WebsiteView | null, name: keyof FormValues): SeenSettings {
  if (website === null || name === 'domain' || name === 'password' || website[name] === undefined) return {}
  return { [name]: website[name] }
}

/** Returns the fields for which the website now shows another value than `seen`. */
export const settingsChangedSince = (website: WebsiteView, seen: SeenSettings): SettingName[] =>
  settingNames.filter(
    (name) =>
      name in seen && website[name] !== undefined && JSON.stringify(seen[name]) !== JSON.stringify(website[name]),
  )

/** Returns the fields that the service doesn't show and that have a pending change now, but had none before. */
export const newlyPendingHiddenFields = (was: WebsiteView | null, { pending }: WebsiteView): FieldName[] =>
  pending.filter((name) => !was?.pending.includes(name) && (name === 'password' || was?.[name] === undefined))

/**
 * Returns the changes that saving sends: the typed values that differ from the website's, an empty list for each list in
 * `cleared`, and the typed password if the privacy is "Password".
 */
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
