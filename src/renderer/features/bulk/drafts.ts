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
import { isUncommonDomain, normalizeDomain } from '../../../shared/domain.ts'

/** The field of each column, from left to right; null for an ignored column. */
export type Columns = readonly (FieldName | null)[]

/**
 * Reads a row of cells as a new website, with the errors of its cells. Empty fields get the values of `start`, or the defaults.
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
      // Only addresses are split at "|", because the name of a URL parameter may contain it.
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

/** Splits a cell that holds a list, at spaces, line breaks, commas and semicolons. */
const linesOfCell = (cell: string): string[] => tidyLines(cell.split(/[\s,;]+/))

/** Splits a line of addresses at "|" where the editor would suggest to do so. */
function splitAtBars(line: string): readonly string[] {
  const [found] = line.includes('|') ? checkAddresses(line) : []
  return (found?.kind === 'wrong' && found.instead) || [line]
}

/** Returns the editor's warnings for a new website, except those that refer to line numbers, which the user doesn't see here. */
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
    ...(readingOf(normalizeDomain(draft.domain) ?? '').lookalike ? [m.domain_lookalike_warning()] : []),
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
