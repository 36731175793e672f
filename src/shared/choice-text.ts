import { locales, m } from '../messages/index.ts'
import type { SettingName } from './fields.ts'

/**
 * Returns the value of a choice: by its name in files, by its number, or for the privacy by its label in any language. Undefined
 * if the text is none of these.
 */
export function parseChoice(
  name: SettingName,
  choices: Readonly<Record<string, number>>,
  text: string,
): number | undefined {
  const typed = text.trim().normalize().toLowerCase()
  const found = Object.entries(choices).find((names) => names.map(String).includes(typed))
  return found?.[1] ?? (name === 'privacy' ? privacyByLabel().get(typed) : undefined)
}

/** The result of {@link privacyByLabel}, once it is needed. */
let labels: ReadonlyMap<string, number> | undefined

/** Returns the values of the privacy by their labels in all languages, in lower case. */
const privacyByLabel = (): ReadonlyMap<string, number> =>
  (labels ??= new Map(
    locales.flatMap((locale) =>
      [m.privacy_public, m.privacy_private, m.privacy_password].map(
        (label, value) => [label({}, { locale }).toLowerCase(), value] as const,
      ),
    ),
  ))
