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
 * Reads the whole list (service-behaviour.md, "Paging"): first what has pending edits, since those wait for it to be
 * compared; then the newest page, because it's what the person looks at; unless that is all, then from the oldest on, so
 * that websites added meanwhile come last. One deleted meanwhile moves the others up, and at the border of two pages one
 * is passed over: where the service tells how many there are, it's read once more. What an incomplete run didn't see
 * stays; what a complete one didn't see goes once its own read says that it's gone. A list without end is given up
 * (`endless-list`): neither memory nor disk holds more of it than of the largest account.
 */
export async function readList(ports: ReadPorts): Promise<Result<void>> {
  const { store, service, clock } = ports
  const begun = store.beginRun()
  if (!begun.ok) return begun
  const run = begun.value
  const runMark = store.mark()

  const edited = await readEdited(ports, run)
  if (!edited.ok) return edited
  const newest = await readPage(ports, run, NEWEST, true, () =>
    service.list({ sort_by: 'id', sort: 'desc', per_page: PAGE }),
  )
  if (!newest.ok) return newest
  if (newest.value.next !== null) {
    const seen = new Set(newest.value.websites.map(({ id }) => id))
    for (let times = 0; times < 2; times++) {
      const rest = await readFromOldest(ports, run, seen)
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

/** Adds what it has seen to `seen`; `some`: by the numbers that the service told one may have been passed over. */
async function readFromOldest(ports: ReadPorts, run: number, seen: Set<string>): Promise<Result<'all' | 'some'>> {
  const { service } = ports
  const passed = new Set<string>()
  let most = 0
  let shrunk = false
  let position = 0
  let read = await readPage(ports, run, position, false, () =>
    service.list({ sort_by: 'id', sort: 'asc', per_page: PAGE }),
  )
  for (;;) {
    if (!read.ok) return read
    const { websites, next, total } = read.value
    const before = passed.size
    for (const { id } of websites) {
      passed.add(id)
      seen.add(id)
    }
    if (passed.size > MOST_WEBSITES) return fail('endless-list')
    if (total !== undefined && total < most) shrunk = true
    most = total ?? most
    // A page without a new id: empty, or a service that loops.
    if (next === null || passed.size === before) return ok(shrunk || seen.size < most ? 'some' : 'all')
    position += websites.length
    read = await readPage(ports, run, position, false, () => service.listNext(next))
  }
}

async function readPage(
  ports: ReadPorts,
  run: number,
  position: number,
  backwards: boolean,
  request: () => Promise<Outcome<ServicePage>>,
): Promise<Result<ServicePage>> {
  const { store, ask } = ports
  let mark = store.mark()
  const page = await ask(() => {
    mark = store.mark()
    return request()
  })
  if (!page.ok) return page
  const { websites } = page.value
  const inOrder = backwards ? websites.toReversed() : websites
  const first = position - (backwards ? websites.length : 0)
  const saved = await savePage(ports, { run, mark, position: first, websites: inOrder }, page.value.total)
  return saved.ok ? page : saved
}

/** Hosts that don't page answer the whole list at once: it's kept by and by, and the person isn't made to wait for it. */
async function savePage(
  { store, stop, clock, onRead }: ReadPorts,
  { websites, position, ...read }: Parameters<ReplicaStore['savePage']>[0],
  total: number | undefined,
): Promise<Result<void>> {
  const room = store.read(() => ok(hasRoom(store, websites)))
  if (!room.ok) return room
  if (!room.value) return fail('endless-list')
  for (let at = 0; at < websites.length; at += SLICE) {
    if (at > 0) await setImmediate()
    if (stop.aborted) return fail('no-connection')
    const slice = websites.slice(at, at + SLICE)
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

/** Gone is only what the run was complete without, and what its own read proves gone (sync.md, "Failure by failure"). */
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
