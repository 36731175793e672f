import type { CommandValue } from '../preload/bridge.ts'
import type { ListFormat } from '../shared/list-settings.ts'
import type { Imported } from '../shared/edit.ts'
import { count, number } from './numbers.ts'

/** What was exported, and what was left out of the file. */
export function exportedWords({ edits, secrets }: CommandValue<'exportEdits'>): string {
  const head = `${count(edits, 'change was', 'changes were')} exported.`
  if (secrets === 0) return head
  const left = count(secrets, 'statistics password isn’t', 'statistics passwords aren’t')
  return `${head} ${left} in the file: after an import ${secrets === 1 ? 'it has' : 'they have'} to be typed anew.`
}

/** What became of the edits of a file, the refused ones apart. */
export function importedWords({ added, skipped, parked, refused }: Imported): string[] {
  const words = [`${count(added, 'change was', 'changes were')} added.`]
  const typed = parked === 1 ? 'needs its password typed anew.' : 'need their password typed anew.'
  if (parked > 0) words.push(added === 1 ? `It ${typed}` : `${number(parked)} of them ${typed}`)
  if (skipped > 0) words.push(`${count(skipped, 'was', 'were')} known here already.`)
  if (refused.length > 0) words.push(`${count(refused.length, 'wasn’t', 'weren’t')} taken:`)
  return words
}

export const exportWords = { list: 'Export the list', selected: 'Export the selected websites' }
export const formatWords: Record<ListFormat, string> = {
  csv: 'As CSV, for a spreadsheet…',
  json: 'As JSON, for programs…',
}
export const exportingWebsites = (n: number): string => `Exporting ${count(n, 'website')}…`
export const exportStopped = 'The export was stopped; no file was written.'
export const exportedWebsites = (n: number): string => `${count(n, 'website was', 'websites were')} exported.`

export const importing = 'Importing changes…'
export const importRead = 'The file was read.'
export const andMore = (n: number): string => `And ${number(n)} more.`
