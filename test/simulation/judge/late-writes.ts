import { isKnownNot, isRequestOf, type Network } from '../service/network.ts'
import { isOurs, type Version, type Website } from '../service/records.ts'
import { isFulfilled, type Intent } from '../ledger/intent.ts'
import type { World } from '../world/world.ts'

/** What late requests have done, and others like them, that nobody could tell apart; held against what our reads have shown. */
/** What our reads have shown of it as wished, since then or last before it. */
export function readAsWished({ service, network }: World, intent: Intent, record: Website): Version[] {
  if (intent.unit === 'privacy' && intent.password !== undefined) return []
  if (service.hides(intent.unit)) return []
  const heard = heardOf(service, network, record)
  return heard
    .filter(({ endedAt }, at) => endedAt >= intent.at || (heard[at + 1]?.endedAt ?? Infinity) >= intent.at)
    .flatMap(({ shown }) => (isFulfilled(intent, shown.fields) ? [shown] : []))
}

/** What our reads have shown of a website, in the order of their answers. */
const heardOf = ({ readings }: World['service'], { sent }: Network, record: Website) =>
  readings
    .filter(({ website, by }) => website === record && isOurs({ by }))
    .flatMap(({ request, version: shown }) => {
      const read = sent[request - 1]
      return read?.heard === true ? [{ endedAt: read.endedAt ?? 0, shown }] : []
    })
    .toSorted((a, b) => a.endedAt - b.endedAt)

/**
 * It was applied, or read as wished, another had set it otherwise since, and a late request of ours had brought it about once
 * more, or somebody of whom it can't be told from that: the user misses nothing where that is put right, and said. `until`:
 * the last version in which it's as the user wished.
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
  // What put it right was done again, as another has set it back just then.
  if (isOurs(other) && !isOthersAgain(world, intent, record, until.slice(0, applied + 1), other)) return false
  const wasApplied = applied >= 0 || readAsWished(world, intent, record).some(({ at }) => at < other.at)
  if (!wasApplied) return false
  return (
    isLate(world, again) ||
    isLikeDoubted(world, intent, record, again) ||
    isLikeUnsent(world, intent, record, again, breaker)
  )
}

/** So may a request have been that a process was about to send as it ended: that it was put right is told. */
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

/** Another has set the very value that a request of ours carried of which nobody knew whether it would land. */
const isLikeDoubted = ({ network }: World, { unit }: Intent, website: Website, { at, by, fields }: Version): boolean =>
  by === 'remote' &&
  network.sent.some(
    (sent) =>
      sent.method === 'PUT' &&
      sent.at < at &&
      isRequestOf(website)(sent) &&
      // Without a fault the process has ended before the answer.
      !sent.heard &&
      !isKnownNot(sent) &&
      new URLSearchParams(sent.body).get(unit) === String(fields[unit] ?? ''),
  )

/**
 * Another has set it on top of what a late request brought: that is no value which the request carried, and nobody can tell
 * which of the two took away what is missing (docs/sync.md#late-writes). `from`: the late request's version.
 */
export function isOthersNow({ unit }: Intent, from: readonly Version[]): boolean {
  const last = from.findLast(({ fields }, index) => index > 0 && fields[unit] !== from[index - 1]?.fields[unit])
  return last !== undefined && !isOurs(last)
}

/** What a late request has undone is put right once the user has answered what is asked about that website. */
export const isLate = ({ network }: World, version: Version | undefined): boolean =>
  network.sent[(version?.request ?? 0) - 1]?.fault?.kind === 'late'

/**
 * A late request that left nothing to be read, on a host that tells no times: what it changed of what we knew, none of our
 * reads since has shown.
 */
export function isUnseen({ service, network }: World, record: Website, breaker: Version): boolean {
  if (service.quirks.times !== 'none' || network.sent[breaker.request - 1]?.fault?.kind !== 'late') return false
  const at = record.versions.indexOf(breaker)
  const read = service.readings.filter(
    ({ website, request, by }) => website === record && isOurs({ by }) && network.sent[request - 1]?.heard === true,
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
