import { m } from '../messages/index.ts'
import type { KeychainState, KeyState } from '../shared/connection.ts'
import type { AppError } from '../shared/result.ts'
import type { AppState } from '../shared/state.ts'
import { timeOf } from './dates.ts'
import { drainWords } from './edits.ts'
import { errorWords } from './errors.ts'
import { count } from './numbers.ts'
import type { Tone } from './websites.ts'

export interface Status {
  tone: Tone
  head: string
  detail: string
  /** The time that they tell, if any. */
  headAt?: number
  detailAt?: number
  /** Where it's mended, and what the button says that leads there. */
  way?: { to: 'key' | 'pending'; label: string }
}

const toKey = { to: 'key', label: 'Type a key' } as const
const toPending = { to: 'pending', label: 'See Pending' } as const

const changesWait = (n: number, until: string): string =>
  n === 0 ? '' : `${count(n, 'change is', 'changes are')} waiting ${until}`

const offlineSince = (since: number): string => `Offline since ${timeOf(since)}`
const needYou = (n: number): string => count(n, 'change needs', 'changes need') + ' you'

/** What is so beside what holds everything; `detail`: what is told of that. */
function beside({ reach, parked }: AppState, detail: string): Pick<Status, 'detail' | 'detailAt' | 'way'> {
  const offline = reach.state === 'offline' ? `${offlineSince(reach.since)}.` : ''
  const needs = parked > 0 ? `${needYou(parked)}.` : ''
  return {
    detail: [detail, offline, needs].filter(Boolean).join(' '),
    ...(reach.state === 'offline' && { detailAt: reach.since }),
    ...(parked > 0 && { way: toPending }),
  }
}

/** How things stand, in one line and a few sentences; the worst comes first. */
export function statusOf(app: AppState): Status {
  // Of data that is only looked at nothing is ever sent: the banner says so.
  const state = app.readOnly ? { ...app, waiting: 0 } : app
  const key = state.connection?.key
  const untilKey = changesWait(state.waiting, 'and will be sent when the key is there.')
  if (key === 'refused' || key === 'missing') {
    const head = key === 'refused' ? 'The service refuses the API key' : 'The API key is missing'
    return { tone: 'bad', head, ...beside(state, untilKey), way: toKey }
  }
  if (key === 'loading') {
    const waiting = changesWait(state.waiting, 'and will be sent then.')
    const detail = ['It may be asking for its password.', waiting].filter(Boolean).join(' ')
    return { tone: 'wait', head: 'Waiting for the keychain', ...beside(state, detail) }
  }
  if (key === 'locked') {
    const detail = changesWait(state.waiting, 'and will be sent when the key is there.')
    return { tone: 'wait', head: keychainHeads[state.keychain](), ...beside(state, detail) }
  }
  if (state.paused) {
    const detail = changesWait(state.waiting, 'until you resume it.')
    return { tone: 'wait', head: 'Sending is paused', ...beside(state, detail) }
  }
  if (state.reach.state === 'offline') {
    const { error, since } = state.reach
    const why = whyOffline(error)
    const waiting = changesWait(state.waiting, 'and will be sent when the connection is back.')
    const detail = [why, waiting].filter(Boolean).join(' ')
    return {
      tone: 'wait',
      head: offlineSince(since),
      headAt: since,
      ...beside({ ...state, reach: { state: 'online' } }, detail),
    }
  }
  if (state.parked > 0) {
    return { tone: 'bad', head: needYou(state.parked), detail: '', way: toPending }
  }
  // Its account may be shown all the while.
  if (state.reach.state === 'online' && state.refresh.error !== null && !state.refresh.running) {
    const detail = [errorWords(state.refresh.error).what, flowing(state)].filter(Boolean).join(' ')
    return { tone: 'wait', head: 'The list can’t be read', detail }
  }
  const head = state.connection?.sample
    ? 'Looking at sample data'
    : state.reach.state === 'online'
      ? 'Online'
      : 'Connecting'
  return { tone: 'calm', head, detail: flowing(state) }
}

const flowing = (state: AppState): string => drainWords(state) ?? changesWait(state.waiting, 'to be sent.')

/** Why it's offline, where that isn't simply that nothing answers. */
function whyOffline(error: AppError): string {
  // Without a network no name can be looked up either.
  if (error.code === 'unreachable' || error.code === 'name-lookup') return ''
  const { what } = errorWords(error)
  // A network's own sign-in page, most of the time: in a café, a train, a hotel.
  return isElsewhere(error) ? `${what} Does this network ask to sign in first?` : what
}

const isElsewhere = ({ code }: AppError): boolean => code === 'not-the-service' || code === 'redirected'

/** What happened to the app itself. */
export const mishapHeads: Record<NonNullable<AppState['mishap']>, string> = {
  restarted: 'An error ended Siteward, and it started itself again.',
  cutShort: 'Siteward was ended by an error the last time, or by force.',
  reloaded: 'An error ended this window, and it was loaded anew.',
}
export const mishapWords =
  'What was saved is on disk. What was typed in the editor is there again, but for a password; in other forms it has to be typed again.'

export const readOnlyWords = {
  head: 'This data was written by a newer version of Siteward.',
  words:
    'Everything is shown and can be exported; nothing is changed or sent. Install the newer version again to go on.',
}

export const recoveryHeads = { app: m.recovery_app_head, connection: m.recovery_connection_head }

/** The heading over what was restored. */
export const recoveryHead = ({ why, of }: NonNullable<AppState['salvaged']>): string =>
  why === 'unreleased' ? 'Data of an early test version was found. It is not used.' : `${recoveryHeads[of]()}.`

/** What was restored in the place of a damaged file, and what may be missing. */
export function recoveryWords({ why, of, websites, edits, backupAt }: NonNullable<AppState['salvaged']>): string {
  if (why === 'unreleased') return 'Connect again to continue. The old files stay as they are.'
  if (of === 'app') return 'Settings that couldn’t be read were reset. Your websites and changes are in other files.'
  const restored = `${count(websites, 'website')} and ${count(edits, 'pending change')}`
  return backupAt === null
    ? `There was no backup. What could still be read was restored: ${restored}. Other pending changes may be missing.`
    : `A backup from ${timeOf(backupAt)} was restored: ${restored}. Changes that you made after that may be missing. The websites are read from the service again.`
}

/** Why the API key can't be read from the keychain, as a heading. */
export const keychainHeads: Record<KeychainState, () => string> = {
  missing: m.keychain_missing,
  frozen: m.keychain_frozen,
  locked: m.keychain_locked,
  ready: m.keychain_ready,
  unknown: m.keychain_unknown,
}

/** The same, in a sentence. */
const shutWords: Record<KeychainState, string> = {
  missing: 'It can’t be had: no keychain was found on this computer.',
  frozen: 'In the keychain, which doesn’t answer. See whether it’s asking for a password.',
  locked: 'In the keychain, which is locked.',
  ready: 'It isn’t in the keychain any more. Type one to go on.',
  unknown: 'It can’t be had from the keychain just now.',
}

/** What becomes of changes when their connection is left. */
export const unsentWords = (n: number): string =>
  n === 1
    ? '1 change isn’t sent yet. It stays on this computer with this connection, and goes on when you connect to it again.'
    : `${count(n, 'change')} aren’t sent yet. They stay on this computer with this connection, and go on when you connect to it again.`

export const leaveAction = (unsent: number): string =>
  unsent === 0 ? 'Disconnect' : unsent === 1 ? 'Keep it here and disconnect' : 'Keep them here and disconnect'

/** What may go to the wrong account with a key that nobody can tell the account of. */
export const unclearWords = (unsent: number): string =>
  unsent === 0
    ? 'What you change from here on goes to the account that the key belongs to.'
    : unsent === 1
      ? '1 change isn’t sent yet: with this key it goes to the account that the key belongs to.'
      : `${count(unsent, 'change')} aren’t sent yet: with this key they go to the account that the key belongs to.`

/** Where the key is, in words. */
export const keySaid = (key: KeyState, keychain: KeychainState): string =>
  key === 'locked' ? shutWords[keychain] : keyWords[key]

export const keyLeftWords = 'The key is still in the keychain, which is locked. It’s removed as soon as it’s unlocked.'

const keyWords: Record<Exclude<KeyState, 'locked'>, string> = {
  loading: 'Waiting for the keychain; it may be asking for its password.',
  stored: 'Kept in this computer’s keychain.',
  run: 'Kept in memory until Siteward quits; it has to be typed again at the next start.',
  missing: 'None. Type one to go on.',
  refused: 'The service refuses it. Type a new one to go on.',
}

export const ofSample = 'Of the sample service.'

/** Before where that is. */
export const quarantinedWords = (at: number): string => `${timeOf(at)}: the old file is kept here:`
