import { setImmediate } from 'node:timers/promises'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Clock } from '../outbox/ports.ts'
import { MOST_WEBSITES, type WebsiteRecord } from '../../shared/website.ts'
import type { Outcome } from '../service/outcome.ts'
import type { Service, ServicePage } from '../service/port.ts'
import type { Ask } from './asking.ts'
import { isOfKey, isUnconnected } from '../outbox/unmade.ts'
import type { EditedWebsites, ReplicaStore } from './ports.ts'

export interface ReadPorts {
  store: ReplicaStore & EditedWebsites
  service: Service
  ask: Ask
  stop: AbortSignal
  clock: Clock
  /** Returns what is known of a website if the record that was read is older than that, else the record. */
  newest: (record: WebsiteRecord) => WebsiteRecord
  /** They're in the store; `total`: how many there are in all, where the service tells. */
  onRead: (read: { websites: WebsiteRecord[]; total: number | undefined; changed: boolean }) => void
  onGone: () => void
}

/** Websites that are kept in one transaction: some milliseconds. */
const SLICE = 250

/** The newest page is placed behind all others until the run tells its true place. */
const NEWEST = 10 ** 12

/** Of websites with pending edits at most so many are read singly, and none where one page brings them all. */
const EDITED = 10
const PAGE = 100

/**
 * Reads the whole list (docs/service.md#paging): first what has pending edits, since those wait for it to be
 * compared; then the newest page, because it's what the person looks at; unless that is all, then from the oldest on, so
 * that websites added meanwhile come last. One deleted meanwhile moves the others up, and at the border of two pages one
 * is passed over: where the service tells how many there are, it's read once more; and where all of them were read, by a
 * number that has stayed the same, the newest aren't asked for again. What an incomplete run didn't see stays; what a complete
 * one didn't see goes once its own read says that it's gone. A list without end is given up (`endless-list`): neither memory
 * nor disk holds more of it than of the largest account.
 */
export async function readList(ports: ReadPorts): Promise<Result<void>> {
  const { store, clock } = ports
  const begun = store.beginRun()
  if (!begun.ok) return begun
  const run = begun.value
  const runMark = store.mark()

  const edited = await readEdited(ports, run)
  if (!edited.ok) return edited
  const newest = await readNewest(ports, run)
  if (!newest.ok) return newest
  if (newest.value.next !== null) {
    const seen = new Set(newest.value.websites.map(({ id }) => id))
    // The second time what was counted the first time may be gone.
    for (const total of [newest.value.total, undefined]) {
      const rest = await readFromOldest(ports, run, seen, total)
      if (!rest.ok) return rest
      if (rest.value === 'all') break
    }
  }

  const settled = await removeGone(ports, run, runMark)
  return settled.ok ? store.completeRun(run, clock.wall()) : settled
}

/** What can't be read singly is left to the list, unless that would fare no better. */
async function readEdited(ports: ReadPorts, run: number): Promise<Result<void>> {
  const { store, service, ask } = ports
  const ids = store.read(() => {
    if (store.total() <= PAGE) return ok([])
    const keys = new Set(store.editsPage(0, PAGE).map(({ website }) => website))
    const known = [...keys].map((key) => store.website(key)?.id ?? null)
    return ok(known.filter((id) => id !== null).slice(0, EDITED))
  })
  if (!ids.ok) return ids
  for (const id of ids.value) {
    const mark = store.mark()
    const read = await ask(() => service.get(id))
    if (!read.ok && (isUnconnected(read.error.code) || isOfKey(read.error.code))) return read
    if (!read.ok) continue
    const saved = await savePage(ports, { run, mark, position: null, websites: [read.value] }, undefined)
    if (!saved.ok) return saved
  }
  return ok(undefined)
}

/**
 * Adds what it has seen to `seen`; `all`: how many there were before, and as long as it's told again, it ends once as many are
 * in `seen`. Answers `some` where by the numbers that the service told one may have been passed over.
 */
async function readFromOldest(
  ports: ReadPorts,
  run: number,
  seen: Set<string>,
  all: number | undefined,
): Promise<Result<'all' | 'some'>> {
  const { service } = ports
  const passed = new Set<string>()
  let most = 0
  let shrunk = false
  let steady = all !== undefined
  let position = 0
  let request = () => service.list({ sort_by: 'id', sort: 'asc', per_page: PAGE })
  for (;;) {
    const read = await askPage(ports, request)
    if (!read.ok) return read
    const { websites, next, total } = read.value.page
    const before = passed.size
    for (const { id } of websites) {
      passed.add(id)
      seen.add(id)
    }
    if (total !== undefined && total < most) shrunk = true
    most = total ?? most
    steady &&= total === all
    const kept = await keepPage(ports, run, position, read.value)
    if (!kept.ok) return kept
    if (passed.size > MOST_WEBSITES) return fail('endless-list')
    // A page without a new id: empty, or a service that loops.
    if (next === null || passed.size === before || (steady && seen.size === all))
      return ok(shrunk || seen.size < most ? 'some' : 'all')
    position += websites.length
    request = () => service.listNext(next)
  }
}

/** The page that the list begins with for the person, which is the last of it. */
async function readNewest(ports: ReadPorts, run: number): Promise<Result<ServicePage>> {
  const read = await askPage(ports, () => ports.service.list({ sort_by: 'id', sort: 'desc', per_page: PAGE }))
  if (!read.ok) return read
  const { mark, page } = read.value
  const websites = page.websites.toReversed()
  const kept = await keepPage(ports, run, NEWEST - websites.length, { mark, page: { ...page, websites } })
  return kept.ok ? ok(page) : kept
}

/** `mark`: of the time at which it was asked for. */
interface ReadPage {
  mark: number
  page: ServicePage
}

async function askPage(
  { store, ask }: ReadPorts,
  request: () => Promise<Outcome<ServicePage>>,
): Promise<Result<ReadPage>> {
  let mark = store.mark()
  const page = await ask(() => {
    mark = store.mark()
    return request()
  })
  return page.ok ? ok({ mark, page: page.value }) : page
}

const keepPage = (ports: ReadPorts, run: number, position: number, { mark, page }: ReadPage): Promise<Result<void>> =>
  savePage(ports, { run, mark, position, websites: page.websites }, page.total)

/** Hosts that don't page answer the whole list at once: it's kept by and by, and the person isn't made to wait for it. */
async function savePage(
  { store, stop, clock, newest, onRead }: ReadPorts,
  { websites, position, ...read }: Parameters<ReplicaStore['savePage']>[0],
  total: number | undefined,
): Promise<Result<void>> {
  const room = store.read(() => ok(hasRoom(store, websites)))
  if (!room.ok) return room
  if (!room.value) return fail('endless-list')
  for (let at = 0; at < websites.length; at += SLICE) {
    if (at > 0) await setImmediate()
    if (stop.aborted) return fail('no-connection')
    const slice = websites.slice(at, at + SLICE).map(newest)
    const placed = position === null ? null : position + at
    const saved = store.savePage({ ...read, position: placed, at: clock.wall(), websites: slice })
    if (!saved.ok) return saved
    onRead({ websites: slice, total, changed: saved.value.length > 0 })
  }
  return ok(undefined)
}

/** Each run over an endless list brings other websites. Those that are known already may still be read, and found gone. */
const hasRoom = (store: EditedWebsites, websites: WebsiteRecord[]): boolean =>
  store.total() <= MOST_WEBSITES || websites.every(({ id }) => store.websiteOfId(id) !== null)

/**
 * Gone is only what the run was complete without, and what its own read proves gone
 * (docs/sync.md#websites-missing-from-a-refresh).
 */
async function removeGone(
  { store, service, ask, onGone }: ReadPorts,
  run: number,
  runMark: number,
): Promise<Result<void>> {
  const missing = store.read(() => ok(store.missing(run)))
  if (!missing.ok) return missing
  for (const { key, id } of missing.value) {
    const read = await ask(() => service.get(id))
    if (!read.ok && read.error.code !== 'not-found') return read
    if (read.ok) continue
    const removed = store.removeMissing(key, runMark)
    if (!removed.ok) return removed
    if (removed.value) onGone()
  }
  return ok(undefined)
}
