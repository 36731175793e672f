import type { KeychainState, KeyState } from '../../shared/connection.ts'
import type { AppState } from '../../shared/state.ts'
import { timeOf } from './dates.ts'
import { errorWords } from './errors.ts'
import { count } from './numbers.ts'
import type { Tone } from './websites.ts'

export interface Status {
  tone: Tone
  head: string
  detail: string
}

const changesWait = (n: number, until: string): string =>
  n === 0 ? '' : `${count(n, 'change is', 'changes are')} waiting ${until}`

/** How things stand, in one line and one sentence; the worst comes first. */
export function statusOf(state: AppState): Status {
  const key = state.connection?.key
  const untilKey = changesWait(state.waiting, 'and will be sent then.')
  if (key === 'refused' || key === 'missing') {
    const head = key === 'refused' ? 'The service refuses the API key' : 'The API key is missing'
    return { tone: 'bad', head, detail: `Type one under Account. ${untilKey}` }
  }
  if (key === 'loading') {
    const waiting = changesWait(state.waiting, 'and will be sent then.')
    return { tone: 'wait', head: 'Waiting for the keychain', detail: `It may be asking for its password. ${waiting}` }
  }
  if (key === 'locked') {
    const detail = changesWait(state.waiting, 'and will be sent when the key is there.')
    return { tone: 'wait', head: shutHeads[state.keychain], detail }
  }
  if (state.reach.state === 'offline') {
    const { error, since } = state.reach
    const why = error.code === 'unreachable' ? '' : errorWords(error).what
    const waiting = changesWait(state.waiting, 'and will be sent when the connection is back.')
    return { tone: 'wait', head: `Offline since ${timeOf(since)}`, detail: [why, waiting].filter(Boolean).join(' ') }
  }
  if (state.parked > 0) {
    return { tone: 'bad', head: `${count(state.parked, 'change needs', 'changes need')} you`, detail: 'See Pending.' }
  }
  const head = state.connection?.sample
    ? 'Looking at sample data'
    : state.reach.state === 'online'
      ? 'Online'
      : 'Connecting'
  return { tone: 'calm', head, detail: changesWait(state.waiting, 'to be sent.') }
}

const shutHeads: Record<KeychainState, string> = {
  missing: 'No keychain on this computer',
  frozen: 'The keychain doesn’t answer',
  locked: 'The keychain is locked',
  ready: 'The API key isn’t in the keychain',
  unknown: 'The API key can’t be had',
}

/** Why the key can't be had from the keychain, in a sentence. */
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
