import { settingNames, type SettingName, type WebsiteSettings } from '../../../shared/website.ts'

type Settings = Partial<WebsiteSettings>

/** The settings that are given in `of`, alone. */
export const pickSettings = (of: Settings): Settings => pickTouched(of, of)

/** Of `from`, the settings that `touched` has. */
export function pickTouched(from: Settings, touched: Settings): Settings {
  const picked: Settings = {}
  for (const name of settingNames) if (touched[name] !== undefined) put(picked, from, name)
  return picked
}

/** One field, which is of one type in both. */
function put<Name extends SettingName>(picked: Settings, from: Settings, name: Name): void {
  if (from[name] !== undefined) picked[name] = from[name]
}

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
