import { MAX_WEBSITES, type WebsiteRecord } from '../../../shared/website.ts'
import type { Outcome } from '../../service/outcome.ts'
import type { ServicePage } from '../../service/port.ts'
import type { OutboxPorts, ReadAgeLimit } from '../ports.ts'
import { nextEditOf, type NextEdit } from '../model/next-edit.ts'
import { isNeverSent } from '../never-sent.ts'
import { readOr } from '../read-or.ts'

/** The first page, ordered by creation, so that websites added during the sweep come last. */
const FIRST_PAGE = { sort_by: 'id', sort: 'asc', per_page: 100 } as const

/** Maximum number of writes after one read of a page: on a fast service more would leave much time for other clients' writes. */
const MAX_WRITES_PER_PAGE_READ = 24

/** Maximum number of listed records to check in one step, so that a long list does not block the main process. */
const MAX_LISTED_PER_STEP = 100

/** One run over the pages of the list. The edits of each page are sent before the next page is read. */
interface Sweep {
  /** The cursor by which the current page was requested; null for the first page. */
  cursor: string | null
  /** The service's ids on the current page. */
  ids: ReadonlySet<string>
  /** The cursor of the next page; null if there is none. */
  next: string | null
  /** Number of pages read. */
  pages: number
  /** The service's ids on all pages read. */
  seen: Set<string>
}

export type PreflightReads = ReturnType<typeof createPreflightReads>

/**
 * Reads records before they are written, by page or singly, whichever takes fewer requests (docs/sync.md#reading-before-a-write).
 */
export function createPreflightReads(ports: Pick<OutboxPorts, 'service' | 'store' | 'readCache'>) {
  const { service, store, readCache } = ports
  let sweep: Sweep | null = null
  /** Number of records on a page of the list. Some hosts return fewer than requested. */
  let pageSize = 100
  /** The id of the next website to check among those on pages that any part of the app has read, or null. */
  let listed: string | null = null
  /** The ids on the current page that have pending edits. The page is read again when its read is too old. */
  let onPage: string[] = []
  /** Number of writes since a page was read. */
  let writes = 0
  /** The website whose write was delayed by the rate limit after its read, and how often. */
  let slow = { id: '', delays: 0 }
  /**
   * Number of pending edits when the last sweep ended: those that it did not find are read singly, and do not start another
   * sweep.
   */
  let left = 0

  /** Returns the number of pending edits that need a read: updates and deletes. */
  const touched = (): number => {
    const kinds = store.waitingKinds()
    return kinds.update + kinds.delete
  }

  /**
   * True if more edits are pending than pages are left to read, not counting those that a sweep has already missed. False if the
   * disk cannot be read now.
   */
  const isWorthPages = (pagesRead: number): boolean =>
    readOr(store, false, () => {
      const waiting = touched()
      left = Math.min(left, waiting)
      return waiting - left > Math.max(1, Math.ceil(store.total() / pageSize) - pagesRead)
    })

  /** True if the list has a next page, and reading on by page takes fewer requests than single reads. */
  const isWorthGoingOn = ({ next, pages }: Sweep): boolean => next !== null && isWorthPages(pages)

  /** Returns the age limit: a page counts longer than a single read only if it saves reads for many websites. */
  const limit = (): ReadAgeLimit => (sweep !== null || isWorthPages(0) ? 'pages' : 'single')

  /** Returns the newest record that a write may be based on now, or null if the website has to be read again. */
  function recordOf(id: string): WebsiteRecord | null {
    // A write that was delayed repeatedly may be based on a read of up to a minute ago.
    const isSlow = slow.id === id && slow.delays > 1
    return readCache.of(id, isSlow ? 'delayed' : limit())
  }

  /** Returns the first edit of the website with this id if the edit needs a read, otherwise null. */
  function headOf(id: string): NextEdit | null {
    const nextEdit = nextEditOf(store, store.websiteOfId(id))
    return nextEdit?.edit.standing.state === 'queued' && nextEdit.edit.kind !== 'create' ? nextEdit : null
  }

  /** Reads the page that has the website, or the next one. Returns `otherPage` if the website may be on a later page. */
  async function readPage(id: string, from: Sweep | null): Promise<Outcome<WebsiteRecord> | 'otherPage'> {
    const again = from?.ids.has(id) === true
    const cursor = again ? from.cursor : (from?.next ?? null)
    const page = await (cursor === null ? service.list(FIRST_PAGE) : service.listNext(cursor))
    if (page.outcome !== 'applied') return affectsAllReads(page) ? page : giveUp(id)
    sweep = addPage(page.value, cursor, from, again)
    writes = 0
    const record = readCache.of(id, 'pages')
    if (record !== null) return { ...page, value: record }
    return isWorthGoingOn(sweep) ? 'otherPage' : single(id)
  }

  /** Returns the sweep after a page was read. `again` is true if the same page was read before. */
  function addPage({ websites, next }: ServicePage, cursor: string | null, from: Sweep | null, again: boolean): Sweep {
    const ids = new Set(websites.map(({ id }) => id))
    const seen = from?.seen ?? new Set<string>()
    // A page without a new id means that the service repeats pages. A list without an end is read singly.
    const goesOn = seen.size < MAX_WEBSITES && (again || [...ids].some((id) => !seen.has(id)))
    for (const id of ids) seen.add(id)
    // Some hosts return fewer records than requested; pages may then cost more than they save.
    if (next !== null && ids.size > 0) pageSize = Math.min(pageSize, ids.size)
    onPage = readOr(store, [], () => [...ids].filter((id) => headOf(id) !== null))
    return { cursor, ids, next: goesOn ? next : null, pages: (from?.pages ?? 0) + (again ? 0 : 1), seen }
  }

  /** Reads one website. Ends the sweep if its page has no more edits. */
  function single(id: string): Promise<Outcome<WebsiteRecord>> {
    if (onPage.length === 0) end()
    return service.get(id)
  }

  /** Falls back to a single read if the list cannot be read. */
  function giveUp(id: string): Promise<Outcome<WebsiteRecord>> {
    onPage = []
    return single(id)
  }

  /** Ends a delivery by pages, so that single edits after it are based on single reads again. */
  function endIfDone(): void {
    if (sweep !== null && onPage.length === 0 && !isWorthGoingOn(sweep) && !isWorthPages(0)) end()
  }

  /** Ends the sweep. The edits that it has not found are read singly from now on. */
  function end(): void {
    sweep = null
    left = readOr(store, left, touched)
  }

  return {
    /**
     * Returns the first edit of a website that a page has brought, which goes before others while that read is recent. Returns
     * the same edit until it may no longer go, and null if there is none within the limit of one step.
     */
    next(mayGo: (nextEdit: NextEdit) => boolean): NextEdit | null {
      for (let id = onPage[0]; id !== undefined; id = onPage[0]) {
        const head = headOf(id)
        if (head !== null && mayGo(head)) return head
        onPage.shift()
      }
      endIfDone()
      listed ??= readCache.takeListed()
      for (let looks = MAX_LISTED_PER_STEP; listed !== null && looks > 0; listed = readCache.takeListed(), looks--) {
        const head = readCache.of(listed, limit()) === null ? null : headOf(listed)
        if (head !== null && mayGo(head)) return head
      }
      return null
    },
    /** Returns the current record, or `otherPage` if a page without this website was read: the edits of that page go first. */
    async read(id: string): Promise<Outcome<WebsiteRecord> | 'otherPage'> {
      const isUsedUp = writes >= MAX_WRITES_PER_PAGE_READ && sweep?.ids.has(id) === true
      const record = isUsedUp ? null : recordOf(id)
      if (record !== null) return { outcome: 'applied', value: record, meta: {} }
      if (sweep === null) return isWorthPages(0) ? readPage(id, null) : service.get(id)
      return sweep.ids.has(id) || isWorthGoingOn(sweep) ? readPage(id, sweep) : single(id)
    },
    recordOf,
    /** Notes that the write of this website is being sent. */
    noteWrite(id: string) {
      writes += 1
      if (slow.id === id) slow = { id: '', delays: 0 }
    },
    /** Notes that the rate limit delayed the write of this website after it was read. */
    noteDelay: (id: string) => void (slow = { id, delays: slow.id === id ? slow.delays + 1 : 1 }),
  }
}

/** True if the service would reject any read now, so that switching to single reads would not help. */
const affectsAllReads = ({ error: { code } }: Exclude<Outcome<unknown>, { outcome: 'applied' }>): boolean =>
  code === 'rate-limited' || code === 'unauthenticated' || isNeverSent(code)
