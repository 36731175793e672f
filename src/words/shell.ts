import type { KeychainState } from '../shared/connection.ts'
import type { HistoryEntry } from '../shared/edit.ts'
import type { AppError, ErrorCode } from '../shared/result.ts'
import { errorWords } from './errors.ts'
import { otherwiseWords } from './history.ts'
import { count } from './numbers.ts'
import { salvageHeads, shutHeads } from './status.ts'

/** Every text of the tray, the menu, the desktop's notifications and dialogs; those of the page stand beside it. */
export const trayWords = {
  open: 'Open',
  sendNow: 'Send now',
  resume: 'Resume sending',
  pause: 'Pause sending',
  add: 'Add website…',
  settings: 'Settings',
  quit: 'Quit',
}

/** How things stand, as it stands behind the app's name; a menu's item begins with a capital. */
export const standingWords = {
  notConnected: 'not connected',
  keyRefused: 'the service refuses the API key',
  keyMissing: 'the API key is missing',
  keyLocked: (keychain: KeychainState, waiting: number) => withWaiting(phrase(shutHeads[keychain]), waiting),
  readOnly: (waiting: number) =>
    waiting > 0
      ? `${standingWords.waiting(waiting)}, which only a newer version of Siteward can send`
      : 'the data is of a newer version of Siteward',
  problem: (error: AppError) => phrase(errorWords(error).what),
  salvaged: { app: phrase(salvageHeads.app), connection: phrase(salvageHeads.connection) },
  parked: (n: number) => count(n, 'change needs you', 'changes need you'),
  paused: (waiting: number) => withWaiting('sending is paused', waiting),
  offline: (waiting: number) => withWaiting('offline', waiting),
  waiting: (n: number) => `${count(n, 'change')} waiting`,
  unconfirmed: 'everything is sent, and an earlier request may still arrive late',
  done: 'everything is sent',
}
const withWaiting = (words: string, waiting: number): string =>
  waiting > 0 ? `${words}, ${standingWords.waiting(waiting)}` : words
/** A sentence within another. */
function phrase(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '')
}

export const toolTip = (words: string | null): string => (words === null ? 'Siteward' : `Siteward: ${words}`)

const became: Record<HistoryEntry['became'], string> = {
  sent: 'Sent',
  adopted: 'Taken over',
  nothing: 'There already',
  repaired: 'Put right',
  discarded: 'Discarded',
  undone: 'Taken back',
  unknown: 'Not found out',
}

/** What became of an edit. `domain` null: of one that can't be named here. */
export const resultWords = (how: HistoryEntry['became'], domain: string | null, time: string): string =>
  `${became[how]}: ${domain ?? 'a website'}, ${time}`

export const menuWords = {
  app: 'Siteward',
  websites: 'Websites',
  pending: 'Pending changes',
  presets: 'Presets',
  account: 'Account',
  settings: 'Settings',
  quit: 'Quit',
  view: 'View',
  textNormal: 'Normal text size',
  textLarger: 'Larger text',
  textSmaller: 'Smaller text',
}

interface Told {
  title: string
  body: string
}

export const awayWords: Record<'tray' | 'taskbar', Told> = {
  tray: {
    title: 'Siteward goes on in the tray',
    body: 'It sends what waits. Its icon shows the window again.',
  },
  taskbar: {
    title: 'Siteward goes on in the taskbar',
    body: 'It sends what waits. No panel here shows its icon, so the window is only minimised.',
  },
}

export const sentNotice = (n: number, waiting: number): Told => ({
  title: count(n, 'change is sent', 'changes are sent'),
  body: waiting > 0 ? `${standingWords.waiting(waiting)}.` : 'Nothing is waiting any more.',
})
export const parkedNotice = (n: number): Told => ({
  title: count(n, 'change needs you', 'changes need you'),
  body: n === 1 ? 'It stays here until you decide.' : 'They stay here until you decide.',
})
export const otherwiseNotice = (n: number): Told => ({
  title: otherwiseWords(n),
  body: 'See in the sent changes what the service has instead, or what was put right.',
})
export const keyNotice: Told = {
  title: 'The service refuses the API key',
  body: 'Changes wait until you type a new one.',
}

export const pageNotice: Told = {
  title: 'Siteward’s window had to be closed',
  body: 'Errors ended its page again and again. Siteward itself goes on, and sends what waits. A click opens the window anew.',
}

export function errorNotice(error: AppError): Told {
  const { what, todo } = errorWords(error)
  return { title: 'That couldn’t be done', body: [what, todo].join(' ').trim() }
}

export const stoppedNotice: Told = {
  title: 'Siteward had to stop',
  body: 'An error ended it, and ended it again after a new start. Your changes are on disk, and are sent once it runs again.',
}

export const notResponding: Told = {
  title: 'Siteward is already running, but doesn’t respond',
  body: 'End it in the system’s task manager, then start it again. Your saved changes are safe.',
}

export const cantStart = 'Siteward can’t start'
/** Why, what was left alone, and what to do. */
export const cantStartWords = (code: ErrorCode, folder: string): string =>
  `${why[code] ?? unreadable}\n\nIts data is in ${folder}.`

const unreadable =
  'Its own data can’t be read or written. Nothing in it was changed. Check the disk and who may write to the folder, then start again.'

const why: Partial<Record<ErrorCode, string>> = {
  'disk-full': 'The disk is full. Make some room, then start again.',
  'in-use': 'Another Siteward has its data open. Quit that one, then start again.',
  'newer-version':
    'Its data was written by a newer version of Siteward. Nothing in it was changed. Install the newer version again.',
}

/** What the dialogs for files are called, and the kinds of files in them. */
export const fileWords = {
  exportChanges: 'Export changes',
  exportWebsites: 'Export websites',
  importChanges: 'Import changes',
  openList: 'Open a list of websites',
  changes: 'Exported changes',
  csv: 'Table (CSV)',
  json: 'JSON',
  lists: 'Lists and tables',
}

/** Of the entry by which the session starts the app, in the desktop's own settings. */
export const autostartComment = 'Sends what waits, from the tray'
