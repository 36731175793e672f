import type { ConnectionEntry } from '../../shared/connection.ts'
import { count } from './numbers.ts'

/** How much of a connection isn't sent yet. */
export const unsentOf = (unsent: number | null): string =>
  unsent === null
    ? 'Its data can’t be opened just now.'
    : unsent === 0
      ? 'Everything is sent.'
      : `${count(unsent, 'change isn’t', 'changes aren’t')} sent yet.`

/** Where it leads; the sample service has another address at each start. */
export const whereTo = ({ sample, address }: ConnectionEntry): string => (sample ? 'Sample data' : address)
