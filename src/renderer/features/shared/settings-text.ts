import { m, type Locale } from '../../../messages/index.ts'
import { onOffText } from '../../../shared/display/fields.ts'
import { formatList } from '../../../shared/display/format.ts'
import type { ColumnName } from '../../../shared/list-settings.ts'
import type { ImportedSettings } from '../../../shared/settings-file.ts'
import type { Settings } from '../../../shared/state.ts'
import { fullColumnName, orderLabels, sizeLabel } from './list-labels.ts'
import { advancedSwitches, switchGroups } from './switches.ts'

export const themeLabels: Record<Settings['theme'], () => string> = {
  system: m.settings_theme_system,
  light: m.settings_theme_light,
  dark: m.settings_theme_dark,
}

export const activityDaysLabels: Record<Settings['activityDays'], () => string> = {
  30: m.settings_activity_30,
  90: m.settings_activity_90,
  365: m.settings_activity_365,
  1095: m.settings_activity_1095,
}

export const textSizeText = (percent: number): string => m.settings_text_size_percent({ percent })

/** Returns the label of an interval between two background refreshes. */
export function refreshIntervalText(minutes: number): string {
  if (minutes === 0) return m.settings_refresh_never()
  return minutes < 60
    ? m.settings_refresh_minutes({ count: minutes })
    : m.settings_refresh_hours({ count: minutes / 60 })
}

/** Returns the name of a language in that language, with a capital first letter because it stands alone. */
export function nativeLanguageName(locale: Locale): string {
  const name = new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
}

type Name = keyof ImportedSettings
type Text<N extends Name> = readonly [label: () => string, value: (value: NonNullable<ImportedSettings[N]>) => string]

const switches = [...switchGroups, ...advancedSwitches].flatMap((group) => group.switches)

/** The labels and values of the imported settings that are not on or off. */
const texts: { [N in Name as ImportedSettings[N] extends boolean | undefined ? never : N]-?: Text<N> } = {
  language: [
    m.settings_language,
    (chosen) => (chosen === 'system' ? m.settings_language_default() : nativeLanguageName(chosen)),
  ],
  theme: [m.settings_theme, (theme) => themeLabels[theme]()],
  textSize: [m.settings_text_size, textSizeText],
  refreshEvery: [m.settings_refresh, refreshIntervalText],
  activityDays: [m.settings_activity, (days) => activityDaysLabels[days]()],
  listColumns: [m.list_columns, (columns) => formatList(columns.map(fullColumnName))],
  listWidths: [
    m.list_column_widths,
    (widths) => formatList((Object.keys(widths) as ColumnName[]).map(fullColumnName)) || m.settings_shortcut_none(),
  ],
  listOrder: [m.list_sort, ({ by, sort }) => orderLabels[`${by} ${sort}`]()],
  listPages: [m.list_page_size, sizeLabel],
}

/** Returns the label and value of each imported setting. */
export function settingTexts(imported: ImportedSettings): string[] {
  const text = <N extends keyof typeof texts>(name: N): string => {
    const [label, write] = texts[name] as Text<N>
    return m.bulk_field({ field: label(), value: write(imported[name] as NonNullable<ImportedSettings[N]>) })
  }
  return (Object.keys(imported) as Name[]).map((name) => {
    const found = switches.find(({ setting }) => setting === name)
    if (found === undefined) return text(name as keyof typeof texts)
    return m.bulk_field({ field: found.label(), value: onOffText(imported[name] === true) })
  })
}
