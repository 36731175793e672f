import { settingNames, type SettingName } from '../../../src/shared/website.ts'
import type { LedgerEntry } from '../ledger/entry.ts'
import { isKnownNot, isRequestOf, type Sent } from '../service/network.ts'
import { isOurs, type FieldName, type RecordState, type Website } from '../service/records.ts'
import type { World } from '../world/world.ts'

/**
 * Maximum age of a read when the write after it is sent, in milliseconds since the answer (docs/sync.md#reading-before-a-write).
 */
const AGE = { single: 2_000, page: 15_000 }
export const READ_WINDOW = AGE.page

const isPage = ({ method, path }: Sent): boolean => method === 'GET' && path === '/api/v1/websites'

export const ageOf = (read: Sent): number => (isPage(read) ? AGE.page : AGE.single)

/** In milliseconds after a write of ours: how long the app distrusts a different value from a service without times. */
export const DISTRUST_TIME = 10_000

export const isEntryOf = ({ ids, domains }: LedgerEntry, website: Website): boolean =>
  ids.has(website.id) || ids.has(String(website.number)) || domains.has(website.domain)

/**
 * True if the last read repeats one that had become too old. The write is sent after the repeated read even if it has to wait
 * again (docs/sync.md#reading-before-a-write). `reads`: in the order in which they were sent.
 */
export function isOneMoreRead(reads: readonly Sent[]): boolean {
  const last = reads.at(-1)
  // Skips reads that had not ended when the last one was sent, such as a list that was read at the same time.
  const before = reads.findLast(({ endedAt }) => (endedAt ?? Infinity) <= (last?.at ?? 0))
  if (last === undefined || before?.method !== 'GET') return false
  const end = before.endedAt ?? 0
  // Where websites are read singly, a list that was read for another reason becomes too old at the same age as a single read.
  const ages = reads.flatMap((read) => (read.at > end ? [ageOf(read)] : []))
  return last.at - end > Math.min(ageOf(before), ...ages)
}

/**
 * Returns the index of the state that the last read before a request showed, or null if there was no read within {@link
 * READ_WINDOW}.
 */
export function readBefore({ service, network }: World, website: Website, sent: Sent): number | null {
  const readings = service.readings.flatMap(({ by, request, website: of, state }) => {
    const read = network.sent[request - 1]
    const isBefore = read?.received === true && (read.endedBefore ?? Infinity) <= sent.n
    return of === website && by === sent.by && isBefore ? [{ read, state }] : []
  })
  const last = readings.at(-1)
  const reads = readings.map(({ read }) => read)
  // Answers may arrive out of order: the last one may show an earlier state.
  const answeredAt = Math.max(...reads.map(({ endedAt }) => endedAt ?? 0))
  const isTooOld = sent.at - answeredAt > READ_WINDOW && !isOneMoreRead(reads)
  return last === undefined || isTooOld ? null : website.states.indexOf(last.state)
}

/** True if the disk had room for the outcome of a request, which is otherwise lost when the process ends. */
export const hadRoom = ({ fulls }: World, { endedAt }: Sent): boolean =>
  !fulls.some(({ from, until }) => endedAt !== null && endedAt >= from && endedAt <= until)

export const isKept = (world: World, sent: Sent): boolean => sent.received && hadRoom(world, sent)

export const isInDoubt = (world: World, sent: Sent): boolean => !isKept(world, sent) && !isKnownNot(sent)

/**
 * Returns the indices of the newest states that the user may have seen at a time. There may be several, because the app shows the
 * result of some list reads only when an edit of the website needs it.
 */
export function shownBy(world: World, website: Website, at: number): number[] {
  const { service, network } = world
  const reads = service.readings.flatMap(({ by, request, website: of, state }) => {
    const read = network.sent[request - 1]
    if (of !== website || !isOurs({ by }) || read?.received !== true || (read.endedAt ?? Infinity) > at) return []
    const isUnshown = [isPassedOver, isForgotten].some((is) => is(world, website, read))
    return isUnshown || isTooEarly(world, website, read, state) ? [] : [{ read, state }]
  })
  const newestOf = (subset: typeof reads) => Math.max(-1, ...subset.map(({ state }) => website.states.indexOf(state)))
  const candidates = [
    newestOf(reads),
    newestOf(reads.filter(({ read }) => !isCheckOrSearch(read))),
    // If the disk has no room, a read does not reach the list.
    newestOf(reads.filter(({ read }) => hadRoom(world, read))),
  ]
  return candidates.filter((one) => one >= 0)
}

const isCheckOrSearch = ({ query }: Sent): boolean => isProbe(query) || query.startsWith('search=')
const isProbe = (query: string): boolean => query === 'per_page=10'

/**
 * True for a connection check while a write of the website is in doubt. Only a read of the website itself, or a search for its
 * domain, settles the write; until then the list shows the result of no other read.
 */
function isPassedOver(world: World, website: Website, read: Sent): boolean {
  if (!isProbe(read.query)) return false
  const isSearch = ({ query }: Sent) => new URLSearchParams(query).get('search') === website.domain
  const own = world.network.sent.slice(0, read.n - 1).filter((one) => isRequestOf(website)(one) || isSearch(one))
  const last = own.findLast(({ method, received }) => method === 'PUT' || (method === 'GET' && received))
  return last?.method === 'PUT' && isInDoubt(world, last)
}

/**
 * True for a read that the app does not trust yet, because it ended within {@link DISTRUST_TIME} of the answer to a write and may
 * be stale. On a service without times, this holds while a later write is in doubt. On one that answers writes without a record,
 * it holds for a read of the single website whose time is in the same second as the last known one.
 */
export function isTooEarly(world: World, website: Website, read: Sent, state: RecordState): boolean {
  const { quirks } = world.service
  if (read.method !== 'GET' || hasOtherTime(world, website, read, state)) return false
  const earlier = world.network.sent.slice(0, read.n - 1)
  const writes = earlier.filter((one) => one.method === 'PUT' && isRequestOf(website)(one))
  const last = writes.at(-1)
  if (last === undefined) return false
  const isSoonAfter = (one: Sent | undefined) =>
    (read.endedAt ?? Infinity) - (one?.endedAt ?? -Infinity) <= DISTRUST_TIME
  if (quirks.times === 'none') {
    const answered = writes.findLast(({ received }) => received)
    return last !== answered && isSoonAfter(answered) && isInDoubt(world, last)
  }
  const before = earlier.findLast((one) => one.n < last.n && one.received && isWriteOf(website)(one))
  return quirks.emptyAnswers && last.received && read.query === '' && isSoonAfter(before)
}

const isWriteOf =
  (website: Website) =>
  (one: Sent): boolean =>
    one.method === 'POST'
      ? new URLSearchParams(one.body).get('domain') === website.domain
      : one.method === 'PUT' && isRequestOf(website)(one)

function hasOtherTime({ service, network }: World, website: Website, read: Sent, state: RecordState): boolean {
  if (service.quirks.times === 'none') return false
  const lastReading = service.readings.findLast(({ by, request, website: of }) => {
    const earlier = network.sent[request - 1]
    return of === website && by === read.by && earlier?.received === true && (earlier.endedAt ?? Infinity) <= read.at
  })
  return lastReading === undefined || secondOf(service, lastReading.state) !== secondOf(service, state)
}

/** In whole seconds, by the service's clock, which may be wrong or set back. */
const secondOf = (service: World['service'], { at }: RecordState): number => Math.floor(service.clock(at) / 1000)

/** True if the process ended before the answer to the write was on disk, so that the next process finds the write in doubt. */
export const isForgotten = (world: World, website: Website, write: Sent): boolean =>
  write.method === 'PUT' &&
  !world.network.sent
    .slice(write.n)
    .some(({ by, method, path }) => by === write.by && method === 'PUT' && path === write.path) &&
  isInterrupted(world, website, write)

export const isInterrupted = ({ interrupted }: World, { domain }: Pick<Website, 'domain'>, write: Sent): boolean =>
  interrupted.some(({ by, domain: of, form }) => by === write.by && of === domain && isSameForm(form, write.body))

/** Compares two forms without their passwords, because requests on disk are recorded without them. */
function isSameForm(form: URLSearchParams, body: string): boolean {
  const [one, other] = [new URLSearchParams(form), new URLSearchParams(body)]
  one.delete('password')
  other.delete('password')
  return one.toString() === other.toString()
}

/** Returns when, up to the time `at`, the user last decided about a field, a delete or everything. Null if never. */
export function decidedBefore(
  entries: readonly LedgerEntry[],
  about: SettingName | 'delete',
  at: number,
): number | null {
  const decisions = entries.flatMap((entry) =>
    entry.decisions.filter((one) => one.about === about || one.about === 'all'),
  )
  const times = decisions.map((one) => one.at).filter((one) => one <= at)
  return times.length === 0 ? null : Math.max(...times)
}

/**
 * Returns the times, up to `at`, at which the user asked for the delete of a website. Only those since the last decision about
 * the whole entry count. If there are none, that decision counts as the request for the delete.
 */
export const asksBefore = (entries: readonly LedgerEntry[], at: number): number[] =>
  entries.flatMap((entry) => {
    const decisions = entry.decisions.filter((one) => one.at <= at)
    const decided = decisions.findLast(({ about }) => about === 'all')?.at ?? -1
    const asked = decisions.filter((one) => one.about === 'delete' && one.at > decided).map((one) => one.at)
    return asked.length > 0 || decided < 0 ? asked : [decided]
  })

/** A write with the state that the user had seen (`seen`) and the state that the last read showed (`read`). */
interface CheckedWrite {
  sent: Sent
  seen: number
  read: number
}

/** True if the time of the read record proves that another client has written since the state that the user had seen. */
export function hasMoved(world: World, website: Website, { sent, seen, read }: CheckedWrite): boolean {
  const { states } = website
  const [before, now] = [states[seen], states[read]]
  if (before === undefined || now === undefined || read <= seen || world.service.quirks.times === 'none') return false
  // If writes are answered without a record, only a later read shows a state.
  if (world.service.quirks.emptyAnswers && isOurs(before)) return false
  const { service } = world
  if (secondOf(service, now) <= secondOf(service, before)) return false
  // Our own write replaces the time of the remote one. With a write in doubt since that second, the state may be ours.
  const second = before.at - (service.clock(before.at) % 1000)
  if (states.slice(seen + 1, read + 1).some(isOurs) || isSettledWith(world, website, sent)) return false
  return doubtsOf(world, website, second, sent).length === 0
}

/** True if the last read before a request was the first one after a write in doubt, which may have been applied since. */
function isSettledWith(world: World, website: Website, { n }: Sent): boolean {
  const own = world.network.sent.slice(0, n - 1).filter(isRequestOf(website))
  const isReceivedRead = ({ method, received }: Sent) => method === 'GET' && received
  const read = own.findLast(isReceivedRead)
  const last = own.findLast((one) => one.n < (read?.n ?? 0) && (one.method === 'PUT' || isReceivedRead(one)))
  return last?.method === 'PUT' && isInDoubt(world, last)
}

/** Returns the forms of our writes that ended since `from` and whose outcome was unknown when this request was sent. */
const doubtsOf = (world: World, website: Website, from: number, { n, at: until }: Sent): URLSearchParams[] => [
  ...world.network.sent
    .slice(0, n - 1)
    .filter((one) => one.method === 'PUT' && isRequestOf(website)(one) && isInDoubt(world, one))
    .filter(({ endedAt }) => (endedAt ?? Infinity) >= from)
    .map(({ body }) => new URLSearchParams(body)),
  ...world.interrupted
    .filter(({ at, domain }) => domain === website.domain && at >= from && at <= until)
    .map(({ form }) => form),
]

/** True if a record has the value that our request carried, whether the request set it or not. */
const isAsAsked = ({ network }: World, { request }: RecordState, shown: RecordState, name: FieldName): boolean =>
  new URLSearchParams(network.sent[request - 1]?.body).get(name) === String(shown.fields[name] ?? '')

/** True if, from `state` on and before `now`, the app read a value of the field that differs from the one in `now`. */
function isReadAsOther(
  { service, network }: World,
  { states }: Website,
  { state, now, name }: { state: RecordState; now: RecordState; name: FieldName },
): boolean {
  const between = states.slice(states.indexOf(state), states.indexOf(now))
  const isReceived = (request: number) => network.sent[request - 1]?.received === true
  return service.readings.some(
    (reading) =>
      isOurs(reading) &&
      isReceived(reading.request) &&
      between.includes(reading.state) &&
      reading.state.fields[name] !== now.fields[name],
  )
}

/** True if the values prove a remote change since the user saw them. Values that we wrote, or may have written, don't. */
export function isChanged(world: World, website: Website, { sent, seen, read }: CheckedWrite): boolean {
  const { states } = website
  const [before, now] = [states[seen], states[read]]
  if (before === undefined || now === undefined) return false
  const since = states.slice(seen + 1, read + 1)
  const doubts = doubtsOf(world, website, 0, sent)
  return settingNames.some((name) => {
    if (world.service.hides(name) || before.fields[name] === now.fields[name]) return false
    if (doubts.some((form) => form.get(name) === String(now.fields[name] ?? ''))) return false
    // If writes were answered without a record, and nothing was read since, the app cannot know that the service ignored the
    // value.
    const isMeant = (state: RecordState) =>
      isOurs(state) && isAsAsked(world, state, now, name) && !isReadAsOther(world, website, { state, now, name })
    if (world.service.quirks.emptyAnswers && since.some(isMeant)) return false
    const writer = since.findLast(
      (state, index) =>
        state.fields[name] !== (since[index - 1] ?? before).fields[name] ||
        (isOurs(state) && (state.carried.includes(name) || isAsAsked(world, state, state, name))),
    )
    return writer !== undefined && !isOurs(writer)
  })
}
