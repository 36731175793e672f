import { errorText } from '../../../messages/errors.ts'
import { m } from '../../../messages/index.ts'
import type { BulkPreviewRow } from '../../../shared/bulk.ts'
import { fieldLabel, onOffText, privacyLabel, UNKNOWN } from '../../../shared/display/fields.ts'
import { formatList, joinSentences, formatNumber } from '../../../shared/display/format.ts'
import { revealHidden } from '../../../shared/display/visible.ts'
import { settingNames } from '../../../shared/fields.ts'
import type { TableChange } from '../../../shared/table.ts'
import type { AppError } from '../../../shared/result.ts'
import type { Privacy, SettingName } from '../../../shared/website.ts'

/** Maximum number of lines shown before the user unfolds the rest. */
const MAX_SHOWN = 12

/** A change of one field. For a list, `from` is the number of lines, and `to` the added and removed lines, or all new ones. */
interface FieldDifference {
  field: string
  from: string
  to: string
  /** The lines of a list beyond {@link MAX_SHOWN}. */
  rest?: readonly string[]
}

/** Returns the old and the new value of each setting that differs, as texts. */
export function fieldDifferences({ from, to }: Pick<BulkPreviewRow, 'from' | 'to'>): FieldDifference[] {
  return settingNames.flatMap((name) => {
    const [before, value] = [from[name], to[name]]
    if (value === undefined) return []
    const field = fieldLabel(name)
    if (!Array.isArray(value))
      return [{ field, from: nonListValueText(name, before), to: nonListValueText(name, value) }]
    const lines = before as string[] | undefined
    const all = lines === undefined ? value.map(revealHidden) : differingLines(lines, value)
    const shown = all.length === 0 ? countText(value) : all.slice(0, MAX_SHOWN).join('  ')
    return [{ field, from: lines === undefined ? UNKNOWN : countText(lines), to: shown, rest: all.slice(MAX_SHOWN) }]
  })
}

/** Returns the old and the new tags and note, as texts, where a table changes them. */
export const localDifferences = (local: TableChange['local']): FieldDifference[] => [
  ...(local?.to.tags ? [{ field: m.tags(), from: tagsText(local.from.tags), to: tagsText(local.to.tags) }] : []),
  ...(local?.to.note === undefined
    ? []
    : [{ field: m.filter_note(), from: noteText(local.from.note), to: noteText(local.to.note) }]),
]

/** Returns the tags as a list in one line, or a text for none. */
export const tagsText = (tags: readonly string[] = []): string =>
  tags.length === 0 ? m.tags_none() : formatList(tags.map(revealHidden), 'unit')
const noteText = (note = ''): string => (note === '' ? m.tags_note_none() : revealHidden(note))

const countText = ({ length }: readonly string[]): string =>
  length === 0 ? m.bulk_list_none() : m.bulk_list_lines({ count: length })

/** Returns one text for each field that differs. `password`: adds a text about a new password. */
export function differenceTexts({ from, to, password }: Pick<BulkPreviewRow, 'from' | 'to' | 'password'>): string[] {
  const texts = settingNames.flatMap((name) => {
    const value = to[name]
    if (value === undefined) return []
    const field = fieldLabel(name)
    if (Array.isArray(value)) {
      return [m.bulk_field({ field, value: changedLinesText(from[name] as string[] | undefined, value) })]
    }
    return [m.bulk_field_change({ field, from: nonListValueText(name, from[name]), to: nonListValueText(name, value) })]
  })
  return password ? [...texts, m.bulk_password_new()] : texts
}

/** Returns the text for the privacy or an on/off setting. */
const nonListValueText = (name: SettingName, value: unknown): string =>
  name === 'privacy' ? privacyLabel(value as Privacy | undefined) : onOffText(value as boolean | undefined)

/** Returns the added and removed lines of a list, or the number of its lines if the old ones are unknown. */
function changedLinesText(from: readonly string[] | undefined, to: readonly string[]): string {
  if (from === undefined) return countText(to)
  const all = differingLines(from, to)
  const rest = all.length - MAX_SHOWN
  return [...all.slice(0, MAX_SHOWN), ...(rest > 0 ? [m.bulk_list_more({ count: formatNumber(rest) })] : [])].join('  ')
}

const differingLines = (from: readonly string[], to: readonly string[]): string[] => [
  ...to.filter((line) => !from.includes(line)).map((line) => `+\u00a0${revealHidden(line)}`),
  ...from.filter((line) => !to.includes(line)).map((line) => `−\u00a0${revealHidden(line)}`),
]

/** Returns why a website can't be changed. An error about a field has the label of the field, which its message lacks. */
export const refusalText = (error: AppError): string =>
  error.fields
    ? joinSentences(
        Object.entries(error.fields).map(([field, texts]) =>
          m.bulk_field({ field: fieldLabel(field), value: joinSentences(texts) }),
        ),
      )
    : errorText(error).problem
