import type { ConnectionEntry } from '../shared/connection.ts'
import { count } from './numbers.ts'
import { isolated } from './visible.ts'

/** How much of a connection isn't sent yet. */
export const unsentOf = (unsent: number | null): string =>
  unsent === null
    ? 'Its data can’t be opened just now.'
    : unsent === 0
      ? 'No changes are pending.'
      : `${count(unsent, 'change isn’t', 'changes aren’t')} sent yet.`

/** What goes with a connection that is removed. */
export function goingWords(unsent: number, active: boolean): string {
  const going =
    unsent === 1 ? '1 change isn’t sent yet, and goes too.' : `${count(unsent, 'change')} aren’t sent yet, and go too.`
  return active ? going : `${going} To send or export first, switch to this connection.`
}

export const removeAction = (unsent: number): string =>
  unsent === 0 ? 'Remove' : `Remove, and discard ${count(unsent, 'change')}`

export const removedWords = (name: string): string => `${isolated(name)} was removed.`

export const badName = 'Type a name of one line, of 100 characters at most.'

export const sampleWords = 'Sample data'

/** Where it leads; the sample service has another address at each start. */
export const whereTo = ({ sample, address }: ConnectionEntry): string => (sample ? sampleWords : address)

export const whereAndUnsent = (entry: ConnectionEntry): string => `${whereTo(entry)}. ${unsentOf(entry.unsent)}`

export const connectionWords = {
  title: 'Connections',
  add: 'Add connection…',
  active: 'In use',
  switch: 'Switch to',
  name: 'Name',
  nameHint: 'Left empty, it’s called as its account.',
  saveName: 'Save name',
  gone: 'Its API key and its data on this computer are deleted, for good. The service keeps everything it has.',
}
export const switchNamed = (name: string): string => `Switch to ${isolated(name)}`
export const switchTitle = (name: string): string => `${switchNamed(name)}?`
export const addWords = { title: 'Add a connection?', action: 'Add connection' }
export const renameNamed = (name: string): string => `Rename ${isolated(name)}`
export const removeNamed = (name: string): string => `Remove ${isolated(name)}`
export const removeTitle = (name: string): string => `Remove ${isolated(name)}?`
/** What else a person may type for what is done with one. */
export const connectionAlso = ['connection', 'account']
