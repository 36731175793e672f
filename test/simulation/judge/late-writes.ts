import { isKnownNot, isRequestOf, type Network, type Sent } from '../service/network.ts'
import { isOurs, type Version, type Website } from '../service/records.ts'
import { isFulfilled, type Intent } from '../ledger/intent.ts'
import type { World } from '../world/world.ts'
import { isKept, LAG } from './known.ts'

/** Returns the versions that our reads showed with the value as wanted, since the intent or last before it. */
export function readAsWanted({ service, network }: World, intent: Intent, record: Website): Version[] {
  if (intent.unit === 'privacy' && intent.password !== undefined) return []
  if (service.hides(intent.unit)) return []
  const received = readsOf(service, network, record)
  return received
    .filter(({ endedAt }, at) => endedAt >= intent.at || (received[at + 1]?.endedAt ?? Infinity) >= intent.at)
    .flatMap(({ shown }) => (isFulfilled(intent, shown.fields) ? [shown] : []))
}

/**
 * Returns the versions that our requests showed of a website, in the order of the answers: without reads so soon after the answer
 * to a write, on a host without times, that the app does not trust them (docs/sync.md#stale-reads).
 */
const readsOf = ({ readings, quirks }: World['service'], { sent }: Network, record: Website) =>
  readings
    .filter(({ website, by }) => website === record && isOurs({ by }))
    .flatMap(({ request, version: shown }) => {
      const read = sent[request - 1]
      if (read?.received !== true) return []
      const endedAt = read.endedAt ?? 0
      const isSoonAfter = (one: Sent) =>
        one.method === 'PUT' && one.received && isRequestOf(record)(one) && endedAt - (one.endedAt ?? 0) <= LAG
      const isMistrusted =
        quirks.times === 'none' && read.method === 'GET' && sent.slice(0, read.n - 1).some(isSoonAfter)
      return isMistrusted ? [] : [{ endedAt, shown }]
    })
    .toSorted((a, b) => a.endedAt - b.endedAt)

/**
 * True if the value was applied or read as wanted, another client changed it, and a late write of ours, or a remote change
 * that looks like one, set it again. The app may then repair it and report that. `until`: the versions up to the last one
 * with the value as wanted.
 */
export function isOthersAgain(
  world: World,
  intent: Intent,
  record: Website,
  until: readonly Version[],
  breaker: Version,
): boolean {
  const late = until.findLastIndex(({ fields }) => !isFulfilled(intent, fields)) + 1
  const applied = until.slice(0, late).findLastIndex(({ fields }) => isFulfilled(intent, fields))
  const other = until[applied + 1]
  const again = until[late]
  if (again === undefined || other === undefined) return false
  // The repair may itself have been repeated, because another client changed the value again; or a late request changed it.
  if (
    isOurs(other) &&
    !isLate(world, other) &&
    !isOthersAgain(world, intent, record, until.slice(0, applied + 1), other)
  )
    return false
  const wasApplied = applied >= 0 || readAsWanted(world, intent, record).some(({ at }) => at < other.at)
  if (!wasApplied) return false
  return (
    isLate(world, again) ||
    isLikeDoubted(world, intent, record, again) ||
    isLikeUnsent(world, intent, record, again, breaker)
  )
}

/** True if the change may have been a request that a process was sending when it ended; the history reports the repair. */
const isLikeUnsent = (
  { app, network }: World,
  { unit }: Intent,
  { domain }: Website,
  again: Version,
  breaker: Version,
) =>
  again.by === 'remote' &&
  network.sent[breaker.request - 1]?.by !== 'client 1' &&
  app
    .history()
    .some((past) => past.became === 'repaired' && past.domain === domain && past.overwritten[unit] !== undefined)

/** True if another client has set the same value as a request of ours that is in doubt. */
const isLikeDoubted = (world: World, { unit }: Intent, website: Website, { at, by, fields }: Version): boolean =>
  by === 'remote' &&
  world.network.sent.some(
    (sent) =>
      sent.method === 'PUT' &&
      sent.at < at &&
      isRequestOf(website)(sent) &&
      // Without a fault, the process ended before the answer, or the disk had no room for it.
      !isKept(world, sent) &&
      !isKnownNot(sent) &&
      new URLSearchParams(sent.body).get(unit) === String(fields[unit] ?? ''),
  )

/**
 * True if another client changed the field after a late request. The app cannot know which of the two removed the missing
 * value (docs/sync.md#late-writes). `from`: the version of the late request and those after it.
 */
export function isOthersNow({ unit }: Intent, from: readonly Version[]): boolean {
  const last = from.findLast(({ fields }, index) => index > 0 && fields[unit] !== from[index - 1]?.fields[unit])
  return last !== undefined && !isOurs(last)
}

/**
 * True for a version of a late request. The app repairs its damage after the user has answered the question about the
 * website.
 */
export const isLate = ({ network }: World, version: Version | undefined): boolean =>
  network.sent[(version?.request ?? 0) - 1]?.fault?.kind === 'late'

/** True if no read since has shown a change of a late request, on a service without times. */
export function isUnseen({ service, network }: World, record: Website, breaker: Version): boolean {
  if (service.quirks.times !== 'none' || network.sent[breaker.request - 1]?.fault?.kind !== 'late') return false
  const at = record.versions.indexOf(breaker)
  const read = service.readings.filter(
    ({ website, request, by }) => website === record && isOurs({ by }) && network.sent[request - 1]?.received === true,
  )
  const known = record.versions.findLast(
    (version, index) => index < at && (isOurs(version) || read.some((reading) => reading.version === version)),
  )
  const traces = breaker.carried.filter((name) => !service.hides(name) && known?.fields[name] !== breaker.fields[name])
  return !read.some(
    ({ version }) =>
      record.versions.indexOf(version) >= at && traces.some((name) => version.fields[name] === breaker.fields[name]),
  )
}
