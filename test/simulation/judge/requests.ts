import type { SettingName } from '../../../src/shared/website.ts'
import type { LedgerEntry } from '../ledger/entry.ts'
import { isRequestOf, type Sent } from '../service/network.ts'
import { isOurs, isSwitch, linesOf, type FieldName, type RecordState, type Website } from '../service/records.ts'
import { isList } from '../ledger/intent.ts'
import type { World } from '../world/world.ts'
import { isAsBeforeDoubt } from './in-doubt.ts'
import type { Finding } from './fault.ts'
import { ageOf, isInDoubt, isEntryOf, isOneMoreRead, readBefore } from './app-knowledge.ts'
import { judgeUnseen } from './mismatches.ts'
import { judgePreviews } from './previews.ts'

export function judgeRequests(world: World): Finding[] {
  return [
    ...judgePauses(world),
    ...judgeRate(world),
    ...judgeDoubles(world),
    ...judgeOverlaps(world),
    ...judgeReadAge(world),
    ...judgeUpdates(world),
    ...judgeUnseen(world),
    ...judgePreviews(world),
  ]
}

const judgePauses = ({ network, pauses }: World): Finding[] =>
  network.sent
    .filter(({ method, at }) => method !== 'GET' && pauses.some(({ from, until }) => at > from && at < until))
    .map(({ n }) => ({ count: 'wrong', text: `request ${n} was sent while sending was paused` }))

/** Finds requests above the rate limit, except the checks of a new key before it is accepted. */
const judgeRate = ({ service, network }: World): Finding[] =>
  [...service.violations, ...network.violations]
    .filter((violation) => !violation.includes('another key'))
    .map((violation) => ({ count: 'wrong' as const, text: `rate: ${violation}` }))

function judgeDoubles({ service }: World): Finding[] {
  const alive = service.websites.filter(({ deleted }) => deleted === null).map(({ domain }) => domain)
  return alive
    .filter((domain, index) => alive.indexOf(domain) !== index)
    .map((domain) => ({ count: 'wrong', text: `${domain}: there twice` }))
}

/** Finds two writes of a website that the same process sent at the same time. */
function judgeOverlaps({ network }: World): Finding[] {
  const endOfLastWrite = new Map<string, number>()
  return network.sent.flatMap(({ method, path, body, by, at, endedAt, n }): Finding[] => {
    if (method === 'GET') return []
    const domain = method === 'POST' ? (new URLSearchParams(body).get('domain') ?? '') : ''
    const target = `${by} ${path} ${domain}`
    const overlaps = at < (endOfLastWrite.get(target) ?? 0)
    endOfLastWrite.set(target, endedAt ?? at)
    return overlaps ? [{ count: 'wrong', text: `request ${n}: a second write at the same time, ${target}` }] : []
  })
}

/**
 * Finds writes without a recent read: at most 2 s old for a single read, 15 s for a page. On a slow connection, the write is sent
 * after one more read, however old (docs/sync.md#reading-before-a-write).
 */
function judgeReadAge({ network, service }: World): Finding[] {
  return network.sent.flatMap((write): Finding[] => {
    if (write.method !== 'PUT' && write.method !== 'DELETE') return []
    const website = service.websites.find(({ id, number }) => isRequestOf({ id, number })(write))
    if (website === undefined) return []
    const reads = service.readings.flatMap(({ by, request, website: of }) => {
      const read = network.sent[request - 1]
      const isBefore = read?.received === true && (read.endedBefore ?? Infinity) <= write.n
      return of === website && by === write.by && isBefore ? [read] : []
    })
    const last = reads.at(-1)
    const age = (read: Sent, at: number) => at - (read.endedAt ?? 0)
    if (last === undefined)
      return [{ count: 'wrong', text: `${website.domain}: request ${write.n} wrote what was never read` }]
    if (isOneMoreRead(reads) || reads.some((read) => age(read, write.at) <= ageOf(read))) return []
    const seconds = Math.round(age(last, write.at) / 1000)
    return [{ count: 'wrong', text: `${website.domain}: request ${write.n} wrote what was read ${seconds} s before` }]
  })
}

/** Finds remote values that were overwritten outside the read-then-write window, and fields that were sent untouched. */
function judgeUpdates(world: World): Finding[] {
  return world.service.websites.flatMap((website) => {
    const entries = [...world.ledger.entries.values()].filter((entry) => isEntryOf(entry, website))
    return website.states.slice(1).flatMap((state, index) => {
      if (!isOurs(state)) return []
      const before = website.states.slice(0, index + 1)
      return state.carried.flatMap((name) => [
        ...judgeTouched(entries, website, state, name),
        ...judgeOverwritten(world, entries, website, before, state, name),
      ])
    })
  })
}

function judgeTouched(
  entries: readonly LedgerEntry[],
  website: Website,
  { request }: RecordState,
  name: FieldName,
): Finding[] {
  if (entries.some(({ touched }) => touched.has(name))) return []
  return [{ count: 'wrong', text: `${website.domain}: request ${request} sent ${name}, which nobody touched` }]
}

/** Finds a remote value that our request overwrote although a read had shown it, or without a read before. */
function judgeOverwritten(
  world: World,
  entries: readonly LedgerEntry[],
  website: Website,
  before: readonly RecordState[],
  state: RecordState,
  name: FieldName,
): Finding[] {
  if (world.service.hides(name)) return []
  const lost = lostOf(before, state, name)
  const writer = before.findLast(({ carried, by }) => carried.includes(name) || !isOurs({ by }))
  if (writer === undefined || isOurs(writer) || lost.length === 0) return []
  const sent = world.network.sent[state.request - 1]
  const lastWritten = before.findLast(({ fields }, index) => fields[name] !== before[index - 1]?.fields[name])
  if (sent === undefined || lastWritten === undefined || isOurs(lastWritten)) return []
  const gone = {
    name: name as SettingName,
    lost,
    since: setBefore(world, before, state, name),
  }
  if (wasSeen(entries, gone) || wasKnown(world, entries, gone) || wasUndone(entries, before, gone)) return []
  const read = readBefore(world, website, sent)
  if (read === null) {
    return [{ count: 'wrong', text: `${website.domain}: request ${sent.n} overwrote ${name}, and hadn't read it` }]
  }
  if (read < before.indexOf(lastWritten)) return []
  const setAt = Math.max(...entries.map((entry) => entry.setAt.get(name as SettingName) ?? 0))
  if (!isList(name) && isAsBeforeDoubt(world, website, { sent, read, setAt }, name)) return []
  if (!isList(name) && isLikePossiblySent(world, website, { sent, before }, name)) return []
  return [{ count: 'wrong', text: `${website.domain}: request ${sent.n} overwrote ${name}, and had read it` }]
}

/**
 * True if another client has set the same value as an earlier request of ours that is in doubt. The app cannot know who set
 * it, so the value may be set back (docs/sync.md#values-that-may-have-been-sent).
 */
function isLikePossiblySent(
  world: World,
  website: Website,
  { sent, before }: { sent: Sent; before: readonly RecordState[] },
  name: FieldName,
): boolean {
  const earlier = world.network.sent
    .slice(0, sent.n - 1)
    .filter((one) => one.method === 'PUT' && isRequestOf(website)(one) && new URLSearchParams(one.body).has(name))
  const certain = earlier.findLastIndex((one) => !isInDoubt(world, one))
  const value = String(before.at(-1)?.fields[name] ?? '')
  return earlier.slice(certain + 1).some(({ body }) => new URLSearchParams(body).get(name) === value)
}

/** Returns the remote value or the remote lines that our request removed, as JSON. */
function lostOf(before: readonly RecordState[], { fields }: RecordState, name: FieldName): string[] {
  const last = before.at(-1)
  if (!isList(name)) return last === undefined || last.fields[name] === fields[name] ? [] : [textOf(last, name)]
  const kept = new Set(linesOf(fields[name]))
  const has = (state: RecordState, line: string) => linesOf(state.fields[name]).includes(line)
  const isTheirs = (line: string) => {
    const putThere = before[before.findLastIndex((state) => !has(state, line)) + 1]
    return putThere !== undefined && !isOurs(putThere)
  }
  return linesOf(last?.fields[name] ?? null)
    .filter((line) => !kept.has(line) && isTheirs(line))
    .map((line) => JSON.stringify(line))
}

/** Values that our request removed. `since`: when our last request with another value was sent. */
interface Overwritten {
  name: SettingName
  lost: readonly string[]
  since: number
}

/**
 * Returns when our last request with another value was sent, or 0 if there was none. Values that the user saw before that time do
 * not justify this overwrite.
 */
function setBefore(
  { network }: World,
  before: readonly RecordState[],
  { fields, request }: RecordState,
  name: FieldName,
): number {
  const ours = before.filter((one) => isOurs(one) && one.request < request && one.carried.includes(name))
  const other = ours.findLast((one) => one.fields[name] !== fields[name])
  return network.sent[(other?.request ?? 0) - 1]?.at ?? 0
}

const wasSeen = (entries: readonly LedgerEntry[], gone: Overwritten): boolean =>
  isAmong(
    entries
      .flatMap(({ seen }) => (seen.get(gone.name) ?? []).filter(({ at }) => at >= gone.since))
      .map(({ value }) => value),
    gone,
  )

/**
 * True if the user has undone a save of ours that set the value. Another client may have changed the value and set it again
 * since, which the app can't tell: its reads show the value that the user has undone, so overwriting it is no fault.
 */
const wasUndone = (entries: readonly LedgerEntry[], before: readonly RecordState[], gone: Overwritten): boolean =>
  !isList(gone.name) &&
  entries.some(({ decisions }) => decisions.some(({ about, at }) => about === 'all' && at >= gone.since)) &&
  before.some((one) => isOurs(one) && one.carried.includes(gone.name) && textOf(one, gone.name) === gone.lost[0])

const textOf = ({ fields }: RecordState, name: FieldName): string =>
  JSON.stringify(isSwitch(name) ? fields[name] === 1 : fields[name])

const wasKnown = ({ app }: World, entries: readonly LedgerEntry[], gone: Overwritten): boolean =>
  isAmong(
    app
      .history()
      .filter(({ website, domain }) => entries.some((entry) => entry.key === website || entry.domain === domain))
      .map(({ overwritten }) => JSON.stringify(overwritten[gone.name] ?? null)),
    gone,
  )

/** True if all lost values are among `values`, which are JSON. A lost line is found within a list. */
const isAmong = (values: readonly string[], { name, lost }: Overwritten): boolean =>
  lost.every((one) => values.some((value) => value === one || (isList(name) && value.includes(one))))
