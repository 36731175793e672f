import { m } from '../../messages/index.ts'
import { privacyLabel } from './fields.ts'
import { formatList, formatNumber } from './format.ts'
import { settingNames, type SettingName, type WebsiteSettings } from '../website.ts'

type SomeSettings = Partial<WebsiteSettings>

const names: Record<SettingName, () => string> = {
  privacy: m.summary_privacy,
  email: m.summary_email,
  exclude_bots: m.summary_bots,
  exclude_ips: m.summary_ips,
  exclude_params: m.summary_params,
}

/** Returns the text of a setting's value; for a list the number of its lines. Undefined if the setting is not given. */
function valueOf(name: SettingName, settings: SomeSettings): string | undefined {
  const value = settings[name]
  if (value === undefined) return undefined
  if (Array.isArray(value)) return value.length === 0 ? m.summary_none() : formatNumber(value.length)
  if (typeof value === 'number') return privacyLabel(value)
  if (name === 'exclude_bots') return value ? m.summary_bots_on() : m.summary_bots_off()
  return value ? m.summary_on() : m.summary_off()
}

const settingWithValue = (name: SettingName, settings: SomeSettings): string =>
  m.summary_value({ name: names[name](), value: valueOf(name, settings) ?? '' })

/** Lists settings with their values, and a new password if `password` is true. Empty if there are none. */
export const settingsSummary = (settings: SomeSettings, password = false): string =>
  summary(settings, password, (name) => settingWithValue(name, settings))

/** Lists settings with their values before and after, where they differ: "privacy (Private → Password)". */
export const changesSummary = (before: SomeSettings, after: SomeSettings, password: boolean): string =>
  summary(after, password, (name) => {
    const [was, is] = [valueOf(name, before), valueOf(name, after)]
    if (was === undefined || was === is) return settingWithValue(name, after)
    return m.summary_change({ name: names[name](), before: was, after: is ?? '' })
  })

function summary(settings: SomeSettings, password: boolean, phrase: (name: SettingName) => string): string {
  const phrases = settingNames.flatMap((name) => [
    ...(settings[name] === undefined ? [] : [phrase(name)]),
    ...(name === 'privacy' && password ? [m.summary_password()] : []),
  ])
  return formatList(phrases, 'unit')
}
