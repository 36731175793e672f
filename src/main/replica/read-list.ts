import { setImmediate } from 'node:timers/promises'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Clock } from '../outbox/ports.ts'
import { MAX_WEBSITES, type WebsiteRecord } from '../../shared/website.ts'
import type { Outcome } from '../service/outcome.ts'
import type { Service, ServicePage } from '../service/port.ts'
import type { SendWithRetry } from './ask.ts'
import { isKeyError, isUnconnected } from '../outbox/never-sent.ts'
import type { EditedWebsitesStore, ReplicaStore } from './ports.ts'

export interface ReadPorts {
  store: ReplicaStore & EditedWebsitesStore
  service: Service
  ask: SendWithRetry
  stop: AbortSignal
  clock: Clock
  /** Returns the known record of the website if `record` is older, otherwise `record`. */
  newest: (record: WebsiteRecord) => WebsiteRecord
  /** Called when websites were stored. `total`: the number of websites in the account, if the service tells it. */
  onRead: (read: { websites: WebsiteRecord[]; total: number | undefined; changed: boolean }) => void
  onRemoved: () => void
}

/** Storing this many websites takes a few milliseconds. */
const SLICE = 250

/** Keeps the newest page behind all others until the run finds the real positions of its websites. */
const NEWEST_PAGE_END = 10 ** 12

/** Maximum number of websites with pending edits that are read one by one. The pages include all others. */
const MAX_READ_SINGLY = 10
const PAGE_SIZE = 100

/**
 * Reads the whole list (docs/service.md#paging) in four steps:
 *
 * 1. The websites with pending edits, because the edits wait for this step.
 * 2. The newest page, because it is the one on screen.
 * 3. All pages from the oldest on, so that websites that are added during the run come last. If a website is deleted during the
 *    run, the websites after it move up, and a website may be skipped between two pages. If the total shows that, the pages are
 *    read again.
 * 4. The websites that a complete run has not seen. Each is removed only if its own read says that it was deleted.
 *
 * A list with more websites than the largest account is given up (`endless-list`), to limit memory and disk.
 */
export async function readList(ports: ReadPorts): Promise<Result<void>> {
  const { store, clock } = ports
  const started = store.beginRun()
  if (!started.ok) return started
  const run = started.value
  const runMark = store.mark()

  const edited = await readEdited(ports, run)
  if (!edited.ok) return edited
  const newest = await readNewest(ports, run)
  if (!newest.ok) return newest
  // This page is as of this time, even if a hold makes the run last for hours.
  const seenAt = clock.wall()
  if (newest.value.next !== null) {
    const seen = new Set(newest.value.websites.map(({ id }) => id))
    // The second time, all pages are read to the end, because the total of the newest page may be outdated.
    for (const total of [newest.value.total, undefined]) {
      const rest = await readFromOldest(ports, run, seen, total)
      if (!rest.ok) return rest
      if (rest.value === 'all') break
    }
  }

  const settled = await removeDeleted(ports, run, runMark)
  return settled.ok ? store.completeRun(run, seenAt) : settled
}

/**
 * Reads the websites of the next pending edits one by one, unless the whole list fits on one page. A website that can't be read
 * is left to the pages, but an error of the connection or the key ends the run.
 */
async function readEdited(ports: ReadPorts, run: number): Promise<Result<void>> {
  const { store, service, ask } = ports
  const ids = store.read(() => {
    if (store.total() <= PAGE_SIZE) return ok([])
    const keys = new Set(store.editsPage(0, PAGE_SIZE).map(({ website }) => website))
    const editedIds = [...keys].map((key) => store.website(key)?.id ?? null)
    return ok(editedIds.filter((id) => id !== null).slice(0, MAX_READ_SINGLY))
  })
  if (!ids.ok) return ids
  for (const id of ids.value) {
    const mark = store.mark()
    const read = await ask(() => service.get(id))
    if (!read.ok && (isUnconnected(read.error.code) || isKeyError(read.error.code))) return read
    if (!read.ok) continue
    const saved = await storeInSlices(ports, { run, mark, position: null, websites: [read.value] }, undefined)
    if (!saved.ok) return saved
  }
  return ok(undefined)
}

/**
 * Reads pages from the oldest website on, and adds the ids to `seen`. If every page repeats the total `all`, ends when `seen` has
 * that many. Returns `some` if the totals show that a website may have been skipped.
 */
async function readFromOldest(
  ports: ReadPorts,
  run: number,
  seen: Set<string>,
  all: number | undefined,
): Promise<Result<'all' | 'some'>> {
  const { service } = ports
  const ids = new Set<string>()
  let lastTotal = 0
  let shrunk = false
  let steady = all !== undefined
  let position = 0
  let request = () => service.list({ sort_by: 'id', sort: 'asc', per_page: PAGE_SIZE })
  for (;;) {
    const read = await askPage(ports, request)
    if (!read.ok) return read
    const { websites, next, total } = read.value.page
    const before = ids.size
    for (const { id } of websites) {
      ids.add(id)
      seen.add(id)
    }
    if (total !== undefined && total < lastTotal) shrunk = true
    lastTotal = total ?? lastTotal
    steady &&= total === all
    const saved = await storePage(ports, run, position, read.value)
    if (!saved.ok) return saved
    // A page without a new id ends the list as well: it is empty, or the service repeats its pages.
    if (next === null || ids.size === before || (steady && seen.size === all))
      return ok(shrunk || seen.size < lastTotal ? 'some' : 'all')
    position += websites.length
    request = () => service.listNext(next)
  }
}

/** Reads the page that the user sees first. */
async function readNewest(ports: ReadPorts, run: number): Promise<Result<ServicePage>> {
  const read = await askPage(ports, () => ports.service.list({ sort_by: 'id', sort: 'desc', per_page: PAGE_SIZE }))
  if (!read.ok) return read
  const { mark, page } = read.value
  const websites = page.websites.toReversed()
  const saved = await storePage(ports, run, NEWEST_PAGE_END - websites.length, { mark, page: { ...page, websites } })
  return saved.ok ? ok(page) : saved
}

/** `mark`: of the time when the page was requested. */
interface RequestedPage {
  mark: number
  page: ServicePage
}

/** Requests a page, again after each 429. The mark is that of the last request. */
async function askPage(
  { store, ask }: ReadPorts,
  request: () => Promise<Outcome<ServicePage>>,
): Promise<Result<RequestedPage>> {
  let mark = store.mark()
  const page = await ask(() => {
    mark = store.mark()
    return request()
  })
  return page.ok ? ok({ mark, page: page.value }) : page
}

/** `position`: the place of the first website in the service's order. */
const storePage = (
  ports: ReadPorts,
  run: number,
  position: number,
  { mark, page }: RequestedPage,
): Promise<Result<void>> => storeInSlices(ports, { run, mark, position, websites: page.websites }, page.total)

/** Works in slices, because hosts without paging return the whole list at once and the app must stay responsive. */
async function storeInSlices(
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

/** New websites are stored only up to `MAX_WEBSITES`, or each run over an endless list would add more. */
const hasRoom = (store: EditedWebsitesStore, websites: WebsiteRecord[]): boolean =>
  store.total() <= MAX_WEBSITES || websites.every(({ id }) => store.websiteOfId(id) !== null)

/** Removes missing websites whose own read says that they were deleted (docs/sync.md#websites-missing-from-a-refresh). */
async function removeDeleted(
  { store, service, ask, clock, onRemoved }: ReadPorts,
  run: number,
  runMark: number,
): Promise<Result<void>> {
  const missing = store.read(() => ok(store.missing(run)))
  if (!missing.ok) return missing
  for (const { key, id } of missing.value) {
    const read = await ask(() => service.get(id))
    if (!read.ok && read.error.code !== 'not-found') return read
    if (read.ok) continue
    const removed = store.removeMissing(key, runMark, clock.wall())
    if (!removed.ok) return removed
    if (removed.value) onRemoved()
  }
  return ok(undefined)
}
