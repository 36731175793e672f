import { settingNames, type SettingName, type WebsiteSettings } from '../../shared/website.ts'

type Settings = Partial<WebsiteSettings>

/** The settings that are given in `of`, alone. */
export function pickSettings(of: Settings): Settings {
  return Object.fromEntries(settingNames.flatMap((name) => (of[name] === undefined ? [] : [[name, of[name]]])))
}

/** Of `from`, the settings that `touched` has. */
export const pickTouched = (from: Settings, touched: Settings): Settings =>
  Object.fromEntries(Object.entries(pickSettings(from)).filter(([name]) => touched[name as SettingName] !== undefined))

/** Whether a field was left as it was, lines in the same order. */
export const isSame = (a: Settings, b: Settings, name: SettingName): boolean =>
  a[name] !== undefined && JSON.stringify(a[name]) === JSON.stringify(b[name])

/** Whether a field means the same; a list is a set of lines to the service. */
export function meansSame(a: Settings, b: Settings, name: SettingName): boolean {
  const [one, other] = [a[name], b[name]]
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other
  const lines = new Set(one)
  return lines.size === new Set(other).size && other.every((line) => lines.has(line))
}
