import { settingNames, type SettingName, type WebsiteSettings } from '../../../shared/website.ts'

type Settings = Partial<WebsiteSettings>

/** Returns the names of the settings that an object has. */
export const namesIn = (settings: Settings): SettingName[] =>
  settingNames.filter((name) => settings[name] !== undefined)

/** Returns the settings with these names. */
export function pickNamed(from: Settings, names: readonly SettingName[]): Settings {
  const picked: Settings = {}
  for (const name of names) put(picked, from, name)
  return picked
}

/** Returns an object with only those fields that are settings. */
export const pickSettings = (of: Settings): Settings => pickNamed(of, settingNames)

/** Returns the settings of `from` that `touched` also has. */
export const pickTouched = (from: Settings, touched: Settings): Settings => pickNamed(from, namesIn(touched))

/** Copies one field; the type parameter keeps its type the same on both sides. */
function put<Name extends SettingName>(picked: Settings, from: Settings, name: Name): void {
  if (from[name] !== undefined) picked[name] = from[name]
}

/** True if both have this field with the same value. In a list, the order of the lines counts. */
export const isSame = (a: Settings, b: Settings, name: SettingName): boolean =>
  a[name] !== undefined && JSON.stringify(a[name]) === JSON.stringify(b[name])

/**
 * True if both values of a field mean the same to the service, which treats a list as a set of lines. Also true if neither has
 * the field.
 */
export function meansSame(a: Settings, b: Settings, name: SettingName): boolean {
  const [one, other] = [a[name], b[name]]
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other
  const lines = new Set(one)
  return lines.size === new Set(other).size && other.every((line) => lines.has(line))
}
