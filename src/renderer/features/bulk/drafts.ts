import { findingText, hiddenCharactersText } from '../shared/exclude-text.ts'
import { formatNumber } from '../../../shared/display/format.ts'
import { m } from '../../../messages/index.ts'
import { parseChoice } from '../../../shared/choice-text.ts'
import { fieldTable, mapSettings, listNames, type FieldName } from '../../../shared/fields.ts'
import { parseSwitch } from '../../../shared/switch-text.ts'
import { isLongPassword, tidyLines, MAX_PASSWORD } from '../../../shared/validate.ts'
import type { WebsiteDraft, WebsiteSettings } from '../../../shared/website.ts'
import { readingOf } from '../../../shared/display/domain.ts'
import { fieldLabel } from '../../../shared/display/fields.ts'
import { revealHidden } from '../../../shared/display/visible.ts'
import { checkAddresses } from '../../lib/exclude-list/addresses.ts'
import { checkList } from '../../lib/exclude-list/check.ts'
import { isNeedless } from '../../lib/exclude-list/lines.ts'
import { isUncommonDomain, normaliseDomain } from '../../../shared/domain.ts'

/** The field of each column, from left to right; null for a column that is left out. */
export type Columns = readonly (FieldName | null)[]

/**
 * Returns a row of cells as a website, with errors about cells that can't be read. A field without a cell, or with an empty one,
 * gets the value of `start` or the default of a create.
 */
export function draftFromCells(
  row: readonly string[],
  columns: Columns,
  start: Partial<WebsiteSettings> = {},
): { draft: WebsiteDraft; errors: string[] } {
  const errors: string[] = []
  const cell = (name: FieldName): string => row[columns.indexOf(name)] ?? ''
  const settings = mapSettings((name) => {
    const typed = cell(name)
    const field = fieldTable[name]
    if (typed === '' && start[name] !== undefined) return start[name]
    if (field.kind === 'list') {
      const lines = linesOfCell(typed)
      // A "|" may be part of a parameter's name, so it separates addresses only.
      return name === 'exclude_ips' ? lines.flatMap(splitAtBars) : lines
    }
    if (typed === '') return field.default
    if (field.kind === 'choice') {
      const choice = parseChoice(name, field.choices, typed)
      if (choice === undefined) errors.push(m.bulk_create_bad_privacy({ value: revealHidden(typed) }))
      return choice ?? field.default
    }
    const value = parseSwitch(typed)
    if (value === undefined) errors.push(m.bulk_create_bad_switch({ value: revealHidden(typed) }))
    return value ?? false
  }) as WebsiteSettings
  const password = cell('password')
  return { draft: { domain: cell('domain'), ...settings, ...(password && { password }) }, errors }
}

/** Returns the lines of a list that is written in one cell, separated by spaces, line ends, commas or semicolons. */
const linesOfCell = (cell: string): string[] => tidyLines(cell.split(/[\s,;]+/))

/** Splits addresses at "|" if the editor would suggest that; otherwise returns the line unchanged. */
function splitAtBars(line: string): readonly string[] {
  const [found] = line.includes('|') ? checkAddresses(line) : []
  return (found?.kind === 'wrong' && found.instead) || [line]
}

/**
 * Returns the warnings that the editor would show, except those about repeated or covered lines: they name another line by its
 * number, and the lines of a website's list have no numbers here.
 */
export function warningsOf(draft: WebsiteDraft): string[] {
  const ofLists = listNames.flatMap((list) => {
    const lines = draft[list]
    const findings = lines.length === 0 ? [] : checkList[list](lines.join('\n'))
    const hidden = lines.find((line) => revealHidden(line) !== line)
    return [
      ...findings.filter((finding) => !isNeedless(finding)).map((finding) => findingText(list, finding)),
      ...(hidden === undefined ? [] : [hiddenCharactersText(hidden)]),
    ].map((value) => m.bulk_field({ field: fieldLabel(list), value }))
  })
  return [
    ...(isUncommonDomain(draft.domain) ? [m.warning_domain_uncommon()] : []),
    ...(readingOf(normaliseDomain(draft.domain) ?? '').lookalike ? [m.domain_lookalike_warning()] : []),
    ...(draft.password && isLongPassword(draft.password)
      ? [
          m.bulk_field({
            field: fieldLabel('password'),
            value: m.warning_password_long({ limit: formatNumber(MAX_PASSWORD) }),
          }),
        ]
      : []),
    ...ofLists,
  ]
}
