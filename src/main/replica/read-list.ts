import { setImmediate } from 'node:timers/promises'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Clock } from '../outbox/ports.ts'
import type { WebsiteRecord } from '../../shared/website.ts'
import type { Outcome } from '../service/outcome.ts'
import type { Service, ServicePage } from '../service/port.ts'
import type { Ask } from './asking.ts'
import type { ReplicaStore } from './ports.ts'

export interface ReadPorts {
  store: ReplicaStore
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

/**
 * Reads the whole list (service-behaviour.md, "Paging"): first the newest page, because it's what the person looks at;
 * unless that is all, then from the oldest on, so that websites added meanwhile come last and none is skipped. What an
 * incomplete run didn't see stays; what a complete one didn't see goes once its own read says that it's gone.
 */
export async function readList(ports: ReadPorts): Promise<Result<void>> {
  const { store, service, clock } = ports
  const begun = store.beginRun()
  if (!begun.ok) return begun
  const run = begun.value
  const runMark = store.mark()

  const newest = await readPage(ports, run, NEWEST, true, () =>
    service.list({ sort_by: 'id', sort: 'desc', per_page: 100 }),
  )
  if (!newest.ok) return newest
  if (newest.value.next !== null) {
    const rest = await readFromOldest(ports, run)
    if (!rest.ok) return rest
  }

  const settled = await removeGone(ports, run, runMark)
  return settled.ok ? store.completeRun(run, clock.wall()) : settled
}

async function readFromOldest(ports: ReadPorts, run: number): Promise<Result<void>> {
  const { service } = ports
  const seen = new Set<string>()
  let position = 0
  let read = await readPage(ports, run, position, false, () =>
    service.list({ sort_by: 'id', sort: 'asc', per_page: 100 }),
  )
  for (;;) {
    if (!read.ok) return read
    const { websites, next } = read.value
    const before = seen.size
    for (const { id } of websites) seen.add(id)
    // A page without a new id: empty, or a service that loops.
    if (next === null || seen.size === before) return ok(undefined)
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
  { store, stop, onRead }: ReadPorts,
  { websites, position, ...read }: Parameters<ReplicaStore['savePage']>[0],
  total: number | undefined,
): Promise<Result<void>> {
  for (let at = 0; at < websites.length; at += SLICE) {
    if (at > 0) await setImmediate()
    if (stop.aborted) return fail('no-connection')
    const slice = websites.slice(at, at + SLICE)
    const saved = store.savePage({ ...read, position: position + at, websites: slice })
    if (!saved.ok) return saved
    onRead({ websites: slice, total, changed: saved.value.length > 0 })
  }
  return ok(undefined)
}

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
