import { isKnownNot, isRequestOf, type Network, type Sent } from '../service/network.ts'
import { isOurs, type RecordState, type Website } from '../service/records.ts'
import { isFulfilled, type Intent } from '../ledger/intent.ts'
import type { World } from '../world/world.ts'
import { isKept, DISTRUST_TIME } from './app-knowledge.ts'

/** Returns the states with the intended value that our reads showed, starting with the last read before the intent. */
export function readAsIntended({ service, network }: World, intent: Intent, record: Website): RecordState[] {
  if (intent.unit === 'privacy' && intent.password !== undefined) return []
  if (service.hides(intent.unit)) return []
  const received = readsOf(service, network, record)
  return received
    .filter(({ endedAt }, at) => endedAt >= intent.at || (received[at + 1]?.endedAt ?? Infinity) >= intent.at)
    .flatMap(({ shown }) => (isFulfilled(intent, shown.fields) ? [shown] : []))
}

/**
 * Returns the states of a website that the answers to our requests showed, in the order of the answers. On a host without times,
 * it leaves out reads within {@link DISTRUST_TIME} of an answered write, because the app does not trust them
 * (docs/sync.md#stale-reads).
 */
const readsOf = ({ readings, quirks }: World['service'], { sent }: Network, record: Website) =>
  readings
    .filter(({ website, by }) => website === record && isOurs({ by }))
    .flatMap(({ request, state: shown }) => {
      const read = sent[request - 1]
      if (read?.received !== true) return []
      const endedAt = read.endedAt ?? 0
      const isSoonAfter = (one: Sent) =>
        one.method === 'PUT' &&
        one.received &&
        isRequestOf(record)(one) &&
        endedAt - (one.endedAt ?? 0) <= DISTRUST_TIME
      const isMistrusted =
        quirks.times === 'none' && read.method === 'GET' && sent.slice(0, read.n - 1).some(isSoonAfter)
      return isMistrusted ? [] : [{ endedAt, shown }]
    })
    .toSorted((a, b) => a.endedAt - b.endedAt)

/**
 * True if the value was applied or read as intended, another client changed it, and a late write of ours, or a remote change
 * that looks like one, set it again. The app may then repair it and report that. `until`: the states up to the last one
 * with the value as intended.
 */
export function isRemoteAgain(
  world: World,
  intent: Intent,
  record: Website,
  until: readonly RecordState[],
  breaker: RecordState,
): boolean {
  const late = until.findLastIndex(({ fields }) => !isFulfilled(intent, fields)) + 1
  const applied = until.slice(0, late).findLastIndex(({ fields }) => isFulfilled(intent, fields))
  const other = until[applied + 1]
  const again = until[late]
  if (again === undefined || other === undefined) return false
  // The repair may have been repeated, because another client or a late request changed the value again.
  if (
    isOurs(other) &&
    !isLate(world, other) &&
    !isRemoteAgain(world, intent, record, until.slice(0, applied + 1), other)
  )
    return false
  const wasApplied = applied >= 0 || readAsIntended(world, intent, record).some(({ at }) => at < other.at)
  if (!wasApplied) return false
  return (
    isLate(world, again) ||
    isLikeDoubted(world, intent, record, again) ||
    isLikeUnsent(world, intent, record, again, breaker)
  )
}

/** True if the history reports a repair, and `again` looks like a request that an earlier process was sending at its end. */
const isLikeUnsent = (
  { app, network }: World,
  { unit }: Intent,
  { domain }: Website,
  again: RecordState,
  breaker: RecordState,
) =>
  again.by === 'remote' &&
  network.sent[breaker.request - 1]?.by !== 'client 1' &&
  app
    .history()
    .some((past) => past.became === 'repaired' && past.domain === domain && past.overwritten[unit] !== undefined)

/** True if another client has set the same value as a request of ours that is in doubt. */
const isLikeDoubted = (world: World, { unit }: Intent, website: Website, { at, by, fields }: RecordState): boolean =>
  by === 'remote' &&
  world.network.sent.some(
    (sent) =>
      sent.method === 'PUT' &&
      sent.at < at &&
      isRequestOf(website)(sent) &&
      // If no fault hit the request, the process ended before the answer, or the disk had no room for the answer.
      !isKept(world, sent) &&
      !isKnownNot(sent) &&
      new URLSearchParams(sent.body).get(unit) === String(fields[unit] ?? ''),
  )

/**
 * True if another client changed the field after a late request. The app cannot know which of the two removed the missing
 * value (docs/sync.md#late-writes). `from`: the state of the late request and those after it.
 */
export function isRemoteNow({ unit }: Intent, from: readonly RecordState[]): boolean {
  const last = from.findLast(({ fields }, index) => index > 0 && fields[unit] !== from[index - 1]?.fields[unit])
  return last !== undefined && !isOurs(last)
}

/** True if a late request made the state. The app repairs it only once the website has no pending or parked edit. */
export const isLate = ({ network }: World, state: RecordState | undefined): boolean =>
  network.sent[(state?.request ?? 0) - 1]?.fault?.kind === 'late'

/** True if no read since has shown a change of a late request, on a service without times. */
export function isUnseen({ service, network }: World, record: Website, breaker: RecordState): boolean {
  if (service.quirks.times !== 'none' || network.sent[breaker.request - 1]?.fault?.kind !== 'late') return false
  const at = record.states.indexOf(breaker)
  const read = service.readings.filter(
    ({ website, request, by }) => website === record && isOurs({ by }) && network.sent[request - 1]?.received === true,
  )
  const before = record.states.findLast(
    (state, index) => index < at && (isOurs(state) || read.some((reading) => reading.state === state)),
  )
  const traces = breaker.carried.filter((name) => !service.hides(name) && before?.fields[name] !== breaker.fields[name])
  return !read.some(
    ({ state }) =>
      record.states.indexOf(state) >= at && traces.some((name) => state.fields[name] === breaker.fields[name]),
  )
}
