import { fieldLabel, privacyLabel, onOff } from '../shared/display/fields.ts'
import type { BulkResult, BulkRow } from '../shared/bulk.ts'
import { createDefaults, listNames, settingNames, type FieldName } from '../shared/fields.ts'
import type { AppError } from '../shared/result.ts'
import type { Privacy, SettingName, WebsiteDraft } from '../shared/website.ts'
import { m } from '../messages/index.ts'
import { errorText } from '../messages/errors.ts'
import { count } from './numbers.ts'
import { visible } from '../shared/display/visible.ts'
import { number } from '../shared/display/format.ts'

export const yesNames = ['1', 'yes', 'true', 'on', 'enabled', 'y']
export const noNames = ['0', 'no', 'false', 'off', 'disabled', 'n']

export const rowErrors = {
  privacy: (typed: string) => `“${typed}” is no privacy: write public, private or password.`,
  onOff: (typed: string) => `“${typed}” is neither yes nor no.`,
  twice: (line: number) => `It’s in line ${line} already.`,
  listed: 'It’s in your list already.',
}

export const bulkCreateWords = {
  title: 'Add several websites',
  short: 'Add several…',
  hint: 'One domain a line, or a table: pasted, or out of a file (CSV, TSV, text). What isn’t in it gets the service’s defaults.',
  label: 'Domains',
  placeholder: 'example.com\nshop.example.com',
  ignored: 'Leave out',
  open: 'Open a file…',
  putBack: 'Put back what was there',
}

/** What would be added of what was pasted. */
export const sumWords = (good: number, bad: number): string =>
  [good > 0 && `${count(good, 'website')} to add.`, bad > 0 && `${count(bad, 'line')} can’t be added.`]
    .filter(Boolean)
    .join(' ')

export const tooManyWords = (n: number): string =>
  `At most 1,000 are added at once: ${count(n, 'line')} further down are left out.`

/** Cells of a table without heads that nobody said the meaning of. */
export const unreadWords = (n: number): string => `What else stands in ${count(n, 'line')} is left out.`

/** What a new website is given: its privacy, and whatever isn't the service's default. Of a password only that there is one. */
export const draftWords = ({ privacy, password, email, exclude_bots, ...lists }: WebsiteDraft): string =>
  [
    privacyLabel(privacy),
    password && ofField('password', 'set'),
    email !== createDefaults.email && ofField('email', onOff(email)),
    exclude_bots !== createDefaults.exclude_bots && ofField('exclude_bots', onOff(exclude_bots)),
    ...listNames.map((name) => lists[name].length > 0 && ofField(name, number(lists[name].length))),
  ]
    .filter(Boolean)
    .join(' · ')

/** What is told of one field, beside others. */
export const ofField = (name: FieldName, words: string): string => `${fieldLabel(name)}: ${words}`

export const moreWarnings = (n: number): string => `And ${number(n)} more like it.`

export const addAction = (n: number): string => (n === 0 ? 'Add websites' : `Add ${count(n, 'website')}`)

/** Once they're queued. `isSearched`: the list shows some websites alone. */
export const addedWords = (n: number, isSearched = false): string =>
  [`${count(n, 'website')} added.`, isSearched && 'The search may hide them.'].filter(Boolean).join(' ')

/** Once what was made or deleted is as it was before; `late`: so many were sent already. */
export const takenBackWords = ({
  changed,
  refused: { length: late },
}: Pick<BulkResult, 'changed' | 'refused'>): string =>
  `Taken back for ${count(changed, 'website')}.${late === 0 ? '' : ` ${number(late)} had been sent already.`}`

export const bulkWords = {
  leave: 'Leave',
  edit: 'Add or remove',
  set: 'Replace',
  add: 'Lines to add',
  remove: 'Lines to remove',
  all: 'The whole list',
  preview: 'What will change',
}

export const bulkTitle = (n: number): string => `Edit ${count(n, 'website')}`
export const bulkAction = (n: number | null): string =>
  n === null ? 'Change websites' : `Change ${count(n, 'website')}`

/** What would become of those that are selected. */
export const previewSum = ({ changing, same, refused }: { changing: number; same: number; refused: number }): string =>
  [
    `${count(changing, 'website')} will change.`,
    same > 0 && `${number(same)} ${same === 1 ? 'is' : 'are'} so already.`,
    refused > 0 && `${count(refused, 'website')} can’t be changed so.`,
  ]
    .filter(Boolean)
    .join(' ')

/** What keeps a website from the change, each with the name of its field: the form has several of a kind. */
export const refusalWords = (error: AppError): string =>
  error.fields
    ? Object.entries(error.fields)
        .map(([field, texts]) => `${fieldLabel(field)}: ${texts.join(' ')}`)
        .join(' ')
    : errorText(error).what

export const nothingChosen = 'Choose what is to be changed. What you leave stays as it is in each website.'

export const changedWords = (n: number): string => `${count(n, 'website')} changed.`

/** What became of an undo; a field that nobody knows the former value of stays as it was set. */
export function setBackWords({
  changed,
  same,
  refused,
  unknown,
}: Pick<BulkResult, 'changed' | 'same' | 'refused' | 'unknown'>): string {
  const said = [`${count(changed, 'website')} set back.`]
  if (same > 0) said.push(m.bulk_undo_kept({ count: same }))
  if (refused.length > 0) said.push(`${count(refused.length, 'website')} couldn’t be.`)
  if (unknown.length > 0) {
    said.push(
      `${unknown.map((name) => fieldLabel(name)).join(', ')}: the service doesn’t show what it was, so it stays.`,
    )
  }
  return said.join(' ')
}

/** One field of one website, as it is and as it would be. */
export function differenceWords(row: Pick<BulkRow, 'from' | 'to' | 'password'>): string[] {
  const fields = settingNames.flatMap((name) => {
    const to = row.to[name]
    if (to === undefined) return []
    if (Array.isArray(to)) return [`${fieldLabel(name)}: ${linesWords(row.from[name] as string[] | undefined, to)}`]
    return [`${fieldLabel(name)}: ${valueWords(name, row.from[name])} → ${valueWords(name, to)}`]
  })
  return row.password ? [...fields, `${fieldLabel('password')}: a new one`] : fields
}

const valueWords = (name: SettingName, value: unknown): string =>
  name === 'privacy' ? privacyLabel(value as Privacy | undefined) : onOff(value as boolean | undefined)

/** As many lines of a list are named. */
const NAMED_LINES = 12

function linesWords(from: readonly string[] | undefined, to: readonly string[]): string {
  if (from === undefined) return to.length === 0 ? 'none' : count(to.length, 'line')
  const [come, go] = [to.filter((line) => !from.includes(line)), from.filter((line) => !to.includes(line))]
  const all = [...come.map((line) => `+\u00a0${visible(line)}`), ...go.map((line) => `−\u00a0${visible(line)}`)]
  const rest = all.length - NAMED_LINES
  return [...all.slice(0, NAMED_LINES), ...(rest > 0 ? [`and ${number(rest)} more`] : [])].join('  ')
}

export const rowsWords = { title: 'What will be added', line: 'Line', told: 'What becomes of it', columns: 'Columns' }
export const columnNumbered = (n: number): string => `Column ${number(n)}`
/** One way of changing a list, and which list: "Lines to add: Excluded IP addresses". */
export const bulkOf = (way: string, list: string): string => `${way}: ${list}`
