import { createDefaults, listNames, type FieldName } from '../../../shared/fields.ts'
import { isLongPassword, isUncommonDomain, normaliseDomain, tidyLines } from '../../../shared/validate.ts'
import type { Privacy, WebsiteDraft } from '../../../shared/website.ts'
import { lookalikeWarning, readingOf } from '../../../words/domains.ts'
import { findingWords, hiddenWords } from '../../../words/exclude.ts'
import { noNames, ofField, privacyNames, rowErrors, yesNames } from '../../../words/many.ts'
import { visible } from '../../../words/visible.ts'
import { domainWarning, passwordWarnings } from '../../../words/websites.ts'
import { checkAddresses } from '../exclude/addresses.ts'
import { checkList } from '../exclude/check.ts'
import { isNeedless } from '../exclude/lines.ts'
import type { Columns } from './rows.ts'

/** A row of cells as a website, with what in them can't be read; what isn't in them gets the service's defaults. */
export function draftOf(row: readonly string[], columns: Columns): { draft: WebsiteDraft; errors: string[] } {
  const errors: string[] = []
  const cell = (name: FieldName): string => row[columns.indexOf(name)] ?? ''
  const onOff = (name: 'email' | 'exclude_bots'): boolean => {
    const typed = cell(name)
    if (yesNames.includes(typed.toLowerCase())) return true
    if (typed !== '' && !noNames.includes(typed.toLowerCase())) errors.push(rowErrors.onOff(typed))
    return typed === '' ? createDefaults[name] : false
  }
  const privacy = (): Privacy => {
    const typed = cell('privacy')
    const found = privacyNames.findIndex((names) => names.includes(typed.toLowerCase()))
    if (typed !== '' && found < 0) errors.push(rowErrors.privacy(typed))
    return found < 0 ? createDefaults.privacy : (found as Privacy)
  }
  const password = cell('password')
  const draft: WebsiteDraft = {
    domain: cell('domain'),
    privacy: privacy(),
    email: onOff('email'),
    exclude_bots: onOff('exclude_bots'),
    exclude_ips: linesOfCell(cell('exclude_ips')).flatMap(addressesOf),
    // Not at a "|", which may be a part of a name; nobody can tell one parameter from two by it.
    exclude_params: linesOfCell(cell('exclude_params')),
    ...(password && { password }),
  }
  return { draft, errors }
}

const linesOfCell = (cell: string): string[] => tidyLines(cell.split(/[\s,;]+/))

/** Addresses with a "|" between them, by the editor's rule of what was meant; else the line as it stands. */
function addressesOf(line: string): readonly string[] {
  const [found] = line.includes('|') ? checkAddresses(line) : []
  return (found?.what === 'wrong' && found.instead) || [line]
}

/** What the editor would warn of. Lines that only say again what others say do no harm, and their numbers are the list's. */
export function warningsOf(draft: WebsiteDraft): string[] {
  const ofLists = listNames.flatMap((list) => {
    const lines = draft[list]
    const findings = lines.length === 0 ? [] : checkList[list](lines.join('\n'))
    const hidden = lines.find((line) => visible(line) !== line)
    return [
      ...findings.filter((finding) => !isNeedless(finding)).map((finding) => findingWords(list, finding)),
      ...(hidden === undefined ? [] : [hiddenWords(hidden)]),
    ].map((words) => ofField(list, words))
  })
  return [
    ...(isUncommonDomain(draft.domain) ? [domainWarning] : []),
    ...(readingOf(normaliseDomain(draft.domain) ?? '').lookalike ? [lookalikeWarning] : []),
    ...(draft.password && isLongPassword(draft.password) ? [ofField('password', passwordWarnings.long)] : []),
    ...ofLists,
  ]
}
