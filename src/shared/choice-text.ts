import { locales, m } from '../messages/index.ts'
import type { SettingName } from './fields.ts'

/** Parses a choice: its name in files, its number or, for the privacy, its label in any language. Undefined otherwise. */
export function parseChoice(
  name: SettingName,
  choices: Readonly<Record<string, number>>,
  text: string,
): number | undefined {
  const typed = text.trim().normalize().toLowerCase()
  const found = Object.entries(choices).find((names) => names.map(String).includes(typed))
  return found?.[1] ?? (name === 'privacy' ? privacyByLabel().get(typed) : undefined)
}

let privacyLabels: ReadonlyMap<string, number> | undefined

/** Maps the labels of the privacy in all languages, in lower case, to its values. */
const privacyByLabel = (): ReadonlyMap<string, number> =>
  (privacyLabels ??= new Map(
    locales.flatMap((locale) =>
      [m.privacy_public, m.privacy_private, m.privacy_password].map(
        (label, value) => [label({}, { locale }).toLowerCase(), value] as const,
      ),
    ),
  ))
