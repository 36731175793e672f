import type { KeyState } from '../../shared/connection.ts'
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
  if (key === 'locked') {
    const detail = changesWait(state.waiting, 'and will be sent when it’s unlocked.')
    return { tone: 'wait', head: 'The keychain is locked', detail }
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

export const keyWords: Record<KeyState, string> = {
  loading: 'The keychain is being asked for it.',
  stored: 'Kept in this computer’s keychain.',
  run: 'Kept in memory until Siteward quits; it has to be typed again at the next start.',
  locked: 'In the keychain, which is locked, or it was removed from there.',
  missing: 'None. Type one to go on.',
  refused: 'The service refuses it. Type a new one to go on.',
}
