import { settingNames, type SettingName, type WebsiteSettings } from '../../../shared/website.ts'

type Settings = Partial<WebsiteSettings>

/** Returns the names of the settings that have a value. */
export const namesIn = (settings: Settings): SettingName[] =>
  settingNames.filter((name) => settings[name] !== undefined)

/** Returns only the named settings. Those without a value are absent. */
export function pickNamed(from: Settings, names: readonly SettingName[]): Settings {
  const picked: Settings = {}
  for (const name of names) put(picked, from, name)
  return picked
}

/** Drops all fields that are no settings. */
export const pickSettings = (of: Settings): Settings => pickNamed(of, settingNames)

/** Returns the values of `from` for the settings that `other` also has. */
export const pickCommon = (from: Settings, other: Settings): Settings => pickNamed(from, namesIn(other))

/** The type parameter keeps the field's type the same on both sides. */
function put<Name extends SettingName>(picked: Settings, from: Settings, name: Name): void {
  if (from[name] !== undefined) picked[name] = from[name]
}

/** True if both have the field with the same value. The order of the lines in a list counts. */
export const isSame = (a: Settings, b: Settings, name: SettingName): boolean =>
  a[name] !== undefined && JSON.stringify(a[name]) === JSON.stringify(b[name])

/** Ignores the order and repetition of a list's lines, which mean nothing to the service. True if neither has the field. */
export function isSameIgnoringOrder(a: Settings, b: Settings, name: SettingName): boolean {
  const [one, other] = [a[name], b[name]]
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other
  const lines = new Set(one)
  return lines.size === new Set(other).size && other.every((line) => lines.has(line))
}
