import { privacyLabel, onOff } from '../shared/display/fields.ts'
import { settingNames, type SettingName, type WebsiteSettings } from '../shared/website.ts'
import { count } from './numbers.ts'
import { number } from '../shared/display/format.ts'

type Settings = Partial<WebsiteSettings>

const names: Record<SettingName, string> = {
  privacy: 'privacy',
  email: 'email reports',
  exclude_bots: 'bots',
  exclude_ips: 'excluded addresses',
  exclude_params: 'excluded parameters',
}

/** The value of one setting, for the middle of a sentence; of a list how many lines it has. */
function valueOf(name: SettingName, settings: Settings): string | undefined {
  const value = settings[name]
  if (value === undefined) return undefined
  if (Array.isArray(value)) return value.length === 0 ? 'none' : number(value.length)
  if (typeof value === 'number') return privacyLabel(value)
  return name === 'exclude_bots' ? (value ? 'excluded' : 'counted') : onOff(value).toLowerCase()
}

/** "privacy Password", "2 excluded addresses", "no excluded parameters". */
function phraseOf(name: SettingName, settings: Settings): string {
  const value = settings[name]
  if (!Array.isArray(value)) return `${names[name]} ${valueOf(name, settings) ?? ''}`
  if (value.length === 0) return `no ${names[name]}`
  return name === 'exclude_ips'
    ? count(value.length, 'excluded address', 'excluded addresses')
    : count(value.length, 'excluded parameter')
}

/** The settings that are given, in a sentence; nothing where there are none. */
export const settingsListed = (settings: Settings, password = false): string =>
  listed(settings, password, (name) => phraseOf(name, settings))

/** The same with what was there before, where that is known and differs: "privacy Private → Password". */
export const settingsChanged = (before: Settings, after: Settings, password: boolean): string =>
  listed(after, password, (name) => {
    const [was, is] = [valueOf(name, before), valueOf(name, after)]
    return was === undefined || was === is ? phraseOf(name, after) : `${names[name]} ${was} → ${is ?? ''}`
  })

function listed(settings: Settings, password: boolean, phrase: (name: SettingName) => string): string {
  return settingNames
    .flatMap((name) => [
      ...(settings[name] === undefined ? [] : [phrase(name)]),
      ...(name === 'privacy' && password ? ['a new statistics password'] : []),
    ])
    .join(', ')
}
