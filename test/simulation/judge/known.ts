import { settingNames, type SettingName } from '../../../src/shared/website.ts'
import type { LedgerEntry } from '../ledger/entry.ts'
import { isKnownNot, isRequestOf, type Sent } from '../service/network.ts'
import { isOurs, type FieldName, type Version, type Website } from '../service/records.ts'
import type { World } from '../world/world.ts'

/** How old a read may be when its write leaves, in milliseconds after its answer (docs/sync.md#reading-before-a-write). */
const AGE = { single: 2_000, page: 15_000 }
export const WINDOW = AGE.page

const isPage = ({ method, path }: Sent): boolean => method === 'GET' && path === '/api/v1/websites'

/** The most that a read may be old by the rule for it. */
export const ageOf = (read: Sent): number => (isPage(read) ? AGE.page : AGE.single)

/** How long after a write of ours the app doesn't believe a host without times that shows something else. */
const LAG = 10_000

export const isOf = ({ ids, domains }: LedgerEntry, website: Website): boolean =>
  ids.has(website.id) || ids.has(String(website.number)) || domains.has(website.domain)

/** Of what was sent about a website: the version that a read had shown right before; null: there was none within the window. */
export function readBefore({ service, network }: World, website: Website, sent: Sent): number | null {
  const readings = service.readings.filter(({ by, request, website: of }) => {
    const read = network.sent[request - 1]
    return of === website && by === sent.by && read?.heard === true && (read.endedBefore ?? Infinity) <= sent.n
  })
  const last = readings.at(-1)
  // Answers may overtake each other: the one that came last may be of an earlier version.
  const answeredAt = Math.max(...readings.map(({ request }) => network.sent[request - 1]?.endedAt ?? 0))
  return last === undefined || sent.at - answeredAt > WINDOW ? null : website.versions.indexOf(last.version)
}

/** The disk had room for what came of it: else that is forgotten with the process. */
export const hadRoom = ({ fulls }: World, { endedAt }: Sent): boolean =>
  !fulls.some(({ from, until }) => endedAt !== null && endedAt >= from && endedAt <= until)

/** An answer that came through, and that is on the disk. */
const isKept = (world: World, sent: Sent): boolean => sent.heard && hadRoom(world, sent)

/** Nobody could hear what became of it. */
export const isInDoubt = (world: World, sent: Sent): boolean => !isKept(world, sent) && !isKnownNot(sent)

/**
 * The newest version that the user could have seen by then. There may be several: what a list tells that was asked for to find
 * something out is shown only once an edit of the website needs it.
 */
export function shownBy(world: World, website: Website, at: number): number[] {
  const { service, network } = world
  const reads = service.readings.flatMap(({ by, request, website: of, version }) => {
    const read = network.sent[request - 1]
    if (of !== website || !isOurs({ by }) || read?.heard !== true || (read.endedAt ?? Infinity) > at) return []
    const isUnshown = [isPassedOver, isForgotten].some((is) => is(world, website, read))
    return isUnshown || isTooEarly(world, website, read, version) ? [] : [{ read, version }]
  })
  const newestOf = (some: typeof reads) => Math.max(-1, ...some.map(({ version }) => website.versions.indexOf(version)))
  const known = [
    newestOf(reads),
    newestOf(reads.filter(({ read }) => !isToFindOut(read))),
    // What a full disk has no room for isn't in the list.
    newestOf(reads.filter(({ read }) => hadRoom(world, read))),
  ]
  return known.filter((one) => one >= 0)
}

/** Whether the service is there, or what has become of a domain. */
const isToFindOut = ({ query }: Sent): boolean => isProbe(query) || query.startsWith('search=')
const isProbe = (query: string): boolean => query === 'per_page=10'

/**
 * A list that was asked for to find out whether the service is there, while a write of the website is in doubt: that is settled
 * by a read of its own, or by a search for its domain, and until then nothing else that was read of it is shown.
 */
function isPassedOver(world: World, website: Website, read: Sent): boolean {
  if (!isProbe(read.query)) return false
  const isSearch = ({ query }: Sent) => new URLSearchParams(query).get('search') === website.domain
  const own = world.network.sent.slice(0, read.n - 1).filter((one) => isRequestOf(website)(one) || isSearch(one))
  const last = own.findLast(({ method, heard }) => method === 'PUT' || (method === 'GET' && heard))
  return last?.method === 'PUT' && isInDoubt(world, last)
}

/**
 * A host that tells no times may be some seconds behind: while a write of the website is in doubt, what differs from the answer to
 * the one before it isn't believed so soon after that. Nor is what its own read shows in the same second, where both were
 * answered with nothing.
 */
function isTooEarly(world: World, website: Website, read: Sent, version: Version): boolean {
  const { quirks } = world.service
  if (read.method !== 'GET' || isToldApart(world, website, read, version)) return false
  const earlier = world.network.sent.slice(0, read.n - 1)
  const writes = earlier.filter((one) => one.method === 'PUT' && isRequestOf(website)(one))
  const last = writes.at(-1)
  if (last === undefined) return false
  const isSoonAfter = (one: Sent | undefined) => (read.endedAt ?? Infinity) - (one?.endedAt ?? -Infinity) <= LAG
  if (quirks.times === 'none') {
    const answered = writes.findLast(({ heard }) => heard)
    return last !== answered && isSoonAfter(answered) && isInDoubt(world, last)
  }
  const before = earlier.findLast((one) => one.n < last.n && one.heard && isWriteOf(website)(one))
  return quirks.emptyAnswers && last.heard && read.query === '' && isSoonAfter(before)
}

/** It made the website, or changed it. */
const isWriteOf =
  (website: Website) =>
  (one: Sent): boolean =>
    one.method === 'POST'
      ? new URLSearchParams(one.body).get('domain') === website.domain
      : one.method === 'PUT' && isRequestOf(website)(one)

/** Whether what was read has another time than what was known by then; times are told in whole seconds. */
function isToldApart({ service, network }: World, website: Website, read: Sent, version: Version): boolean {
  if (service.quirks.times === 'none') return false
  const known = service.readings.findLast(({ by, request, website: of }) => {
    const earlier = network.sent[request - 1]
    return of === website && by === read.by && earlier?.heard === true && (earlier.endedAt ?? Infinity) <= read.at
  })
  return known === undefined || secondOf(service, known.version) !== secondOf(service, version)
}

/** Times are told in whole seconds, of a clock that may be wrong, and may have been set back. */
const secondOf = (service: World['service'], { at }: Version): number => Math.floor(service.clock(at) / 1000)

/** The answer to a write that wasn't on the disk yet as the process ended: the next one finds that in doubt. */
export const isForgotten = ({ interrupted, network }: World, { domain }: Website, write: Sent): boolean =>
  write.method === 'PUT' &&
  !network.sent
    .slice(write.n)
    .some(({ by, method, path }) => by === write.by && method === 'PUT' && path === write.path) &&
  interrupted.some(({ by, domain: of, form }) => by === write.by && of === domain && isSameForm(form, write.body))

/** But for the password, which is told to nobody. */
function isSameForm(told: URLSearchParams, body: string): boolean {
  const [one, other] = [new URLSearchParams(told), new URLSearchParams(body)]
  one.delete('password')
  other.delete('password')
  return one.toString() === other.toString()
}

/** When the user last had a say about something of a website before a time; null: never. */
export function saidBefore(entries: readonly LedgerEntry[], about: SettingName | 'delete', at: number): number | null {
  const said = entries.flatMap((entry) => entry.said.filter((one) => one.about === about || one.about === 'all'))
  const times = said.map((one) => one.at).filter((one) => one <= at)
  return times.length === 0 ? null : Math.max(...times)
}

/**
 * When the user asked for a website to be deleted before a time. Asked for again, it's the same delete, with what they saw at
 * first; after they have decided otherwise, or about what was shown, it's another.
 */
export function asksBefore(entries: readonly LedgerEntry[], at: number): number[] {
  const said = entries.flatMap((entry) => entry.said.filter((one) => one.at <= at))
  const decided = Math.max(-1, ...said.flatMap((one) => (one.about === 'all' ? [one.at] : [])))
  const asked = said.filter((one) => one.about === 'delete' && one.at > decided).map((one) => one.at)
  return asked.length > 0 || decided < 0 ? asked : [decided]
}

/** What a write is held against: `known`, the version that the user had seen, and `read`, the one that a read had shown before it. */
interface Held {
  sent: Sent
  known: number
  read: number
}

/** Whether the time of what a read showed tells that somebody else has written since the version that the user had seen. */
export function hasMoved(world: World, website: Website, { sent, known, read }: Held): boolean {
  const { versions } = website
  const [before, now] = [versions[known], versions[read]]
  if (before === undefined || now === undefined || read <= known || world.service.quirks.times === 'none') return false
  // What is answered with nothing is known from a later read on.
  if (world.service.quirks.emptyAnswers && isOurs(before)) return false
  const { service } = world
  if (secondOf(service, now) <= secondOf(service, before)) return false
  // What we wrote has its time in the place of theirs; of a write in doubt, of that second or since, nobody knows whether this is it.
  const second = before.at - (service.clock(before.at) % 1000)
  if (versions.slice(known + 1, read + 1).some(isOurs) || isSettledWith(world, website, sent)) return false
  return doubtsOf(world, website, second, sent).length === 0
}

/** The read before a request was the first of the website since a write that is in doubt: however early that left, it may have landed since. */
function isSettledWith(world: World, website: Website, { n }: Sent): boolean {
  const own = world.network.sent.slice(0, n - 1).filter(isRequestOf(website))
  const isHeardRead = ({ method, heard }: Sent) => method === 'GET' && heard
  const read = own.findLast(isHeardRead)
  const last = own.findLast((one) => one.n < (read?.n ?? 0) && (one.method === 'PUT' || isHeardRead(one)))
  return last?.method === 'PUT' && isInDoubt(world, last)
}

/** What our writes of it carried since then that nobody could hear the end of before this one left. */
const doubtsOf = (world: World, website: Website, from: number, { n, at: until }: Sent): URLSearchParams[] => [
  ...world.network.sent
    .slice(0, n - 1)
    .filter((one) => one.method === 'PUT' && isRequestOf(website)(one) && one.at >= from && isInDoubt(world, one))
    .map(({ body }) => new URLSearchParams(body)),
  ...world.interrupted
    .filter(({ at, domain }) => domain === website.domain && at >= from && at <= until)
    .map(({ form }) => form),
]

/** A service may ignore what a request of ours carried; where that is there all the same, nobody can tell it from having taken it. */
const isAsAsked = ({ network }: World, { request }: Version, there: Version, name: FieldName): boolean =>
  new URLSearchParams(network.sent[request - 1]?.body).get(name) === String(there.fields[name] ?? '')

/** A read of ours has shown another value between the two. */
function isReadAsOther(
  { service, network }: World,
  { versions }: Website,
  { version, now, name }: { version: Version; now: Version; name: FieldName },
): boolean {
  const between = versions.slice(versions.indexOf(version), versions.indexOf(now))
  const isHeard = (request: number) => network.sent[request - 1]?.heard === true
  return service.readings.some(
    (reading) =>
      isOurs(reading) &&
      isHeard(reading.request) &&
      between.includes(reading.version) &&
      reading.version.fields[name] !== now.fields[name],
  )
}

/**
 * The same by what can be read of it: a value is another, and theirs; the same of ours after it is ours, and may be where we
 * had sent it in a write that is in doubt.
 */
export function isChanged(world: World, website: Website, { sent, known, read }: Held): boolean {
  const { versions } = website
  const [before, now] = [versions[known], versions[read]]
  if (before === undefined || now === undefined) return false
  const since = versions.slice(known + 1, read + 1)
  const doubts = doubtsOf(world, website, 0, sent)
  return settingNames.some((name) => {
    if (world.service.hides(name) || before.fields[name] === now.fields[name]) return false
    if (doubts.some((form) => form.get(name) === String(now.fields[name] ?? ''))) return false
    // Answered with nothing, and read no sooner: that the service had ignored it nobody could tell.
    const isMeant = (version: Version) =>
      isOurs(version) && isAsAsked(world, version, now, name) && !isReadAsOther(world, website, { version, now, name })
    if (world.service.quirks.emptyAnswers && since.some(isMeant)) return false
    const writer = since.findLast(
      (version, index) =>
        version.fields[name] !== (since[index - 1] ?? before).fields[name] ||
        (isOurs(version) && (version.carried.includes(name) || isAsAsked(world, version, version, name))),
    )
    return writer !== undefined && !isOurs(writer)
  })
}
