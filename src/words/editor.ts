import { privacyLabel, onOff } from '../shared/display/fields.ts'
import { shortened } from '../shared/display/domain.ts'
import type { WaitReason } from '../shared/edit.ts'
import type { AppState } from '../shared/state.ts'
import type { SettingName, WebsiteView } from '../shared/website.ts'
import { count } from './numbers.ts'
import { isolated } from '../shared/display/visible.ts'

/** On a field whose text isn't saved yet. */
export const changedMark = 'Changed'
export const putBack = 'Put back'

/** What Save would do. */
export const touchedNote = (n: number, uncreated: boolean): string =>
  uncreated ? `${count(n, 'field')} corrected` : `${count(n, 'field')} will be sent`
export const newNote = 'What will be sent'
/** Lines that may well be mistakes, and are sent all the same. */
export const doubtfulNote = (n: number): string => `${count(n, 'line')} may match nothing`

/** What became of what was saved; nothing where it needs the person, which is said elsewhere. */
export function savedNote(website: WebsiteView, { connection, paused, reach }: AppState): string {
  const waits = website.state === 'held' || reach.state === 'offline'
  if (website.state === 'parked' || website.state === 'deleting') return ''
  if (website.state === 'synced') return 'Saved.'
  if (paused) return 'Saved. It’s sent when you resume sending.'
  if (!waits) return 'Saved, and on its way.'
  const hasKey = connection?.key === 'stored' || connection?.key === 'run'
  return hasKey ? 'Saved. It’s sent when the connection is back.' : 'Saved. It’s sent when the API key is there.'
}

/** Where there is a choice to be made, it's made under Pending, with all sides beside one another. */
export const resolveAdvice = 'Resolve it under Pending, where all sides are shown.'

/** What can be done about a change that needs the person. */
export const parkedAdvice: Partial<Record<WaitReason, string>> = {
  refused: 'Correct it and save, or discard it.',
  'domain-taken': 'Correct the domain and save, or discard it.',
  'website-limit': 'Make room on the service and send it again, or discard it.',
  gone: 'There is nothing left to change. Discard it, or add the website anew.',
  adopt: 'If it is yours, send this again to bring it to what you typed. Else discard it.',
  password: 'Type the statistics password once more and save, or discard it.',
  failing: 'Correct it and save, send it again, or discard it.',
  restored: 'Send it again under Pending, or discard it there.',
  unread: 'Have it checked again under Pending, or discard it there.',
  unreadable: 'Discard it under Pending, or start a version of Siteward that can read it.',
  appeared: 'Discard it where it’s fine as it is.',
  vanished: 'There is nothing left to change. Discard it, or add the website anew.',
  conflict: 'Look at what is there now. Type what it should be and save, or discard it.',
}

/** What a field has by now, while something else is being typed there. */
export function theirsNow(website: WebsiteView, name: SettingName | 'password'): string {
  if (name === 'password') return 'Changed meanwhile: another one was set.'
  if (website[name] === undefined) return 'Changed meanwhile, and the service doesn’t show what it is now.'
  if (name === 'privacy') return `Changed meanwhile: it’s ${privacyLabel(website.privacy)} now.`
  if (name === 'email' || name === 'exclude_bots') return `Changed meanwhile: it’s ${onOff(website[name])} now.`
  const n = website[name]?.length ?? 0
  return `Changed meanwhile: ${n === 0 ? 'the list is empty' : `the list has ${count(n, 'line')}`} now.`
}
export const takeTheirs = 'Take that'
export const keepMine = 'Keep mine'

/** Of a website that went while something was typed about it. */
export const goneWords = {
  head: 'This website isn’t there any more.',
  said: 'It was deleted, here or on the service, and its statistics with it. What you typed is still here.',
  anew: 'Add it as a new website',
}

export const leaveWords = {
  title: 'Leave without saving?',
  said: 'What you typed isn’t saved yet.',
  stay: 'Keep editing',
  discard: 'Discard what I typed',
  save: 'Save',
}

export const domainHints = {
  fixed: 'A domain can’t be changed later. For another one, add a website.',
  uncreated: 'The service doesn’t have it yet, so it can still be corrected.',
  example: 'Such as example.com',
}
/** Where another website has the domain. */
export const openListed = 'Open that website'
export const storedAsWords = (domain: string): string => `Will be ${isolated(domain)} on the service.`

export const editorWords = {
  pane: 'Editor',
  form: 'Website',
  new: 'New website',
  sentWhen: 'It’s sent as soon as it’s saved and the service can be reached.',
  notThereYet: 'Not on the service yet.',
  close: 'Close (Esc)',
  deleted: 'Will be deleted, with its statistics.',
  undoFirst: 'Undo the delete to change anything here.',
  changed: 'The website has changed meanwhile.',
  stillHere: 'What you typed is still here.',
  needsYou: 'This change needs you.',
  refused: 'The service refused it.',
}
export const createdWords = (time: string): string => `Created ${time}.`
/** What the service said of a field that isn't shown. */
export const fieldSays = (name: string, text: string): string => `${isolated(name)}: “${isolated(text)}”`

/** Before a line of a list that others have added or taken away, for who hears it. */
export const lineMarks = { added: 'Added:', removed: 'Removed:' }
export const foldedLines = (n: number): string => `and ${count(n, 'line')} more`

export const deleteTitle = (domain: string): string => `Delete ${shortened(domain)}?`
export const deleteSaid =
  'The website and all its statistics are deleted on the service, for good. Nothing can bring them back.'
