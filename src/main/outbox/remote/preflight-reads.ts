import { MAX_WEBSITES, type WebsiteRecord } from '../../../shared/website.ts'
import type { Outcome } from '../../service/outcome.ts'
import type { ServicePage } from '../../service/port.ts'
import type { OutboxPorts, ReadAgeLimit } from '../ports.ts'
import { nextEditOf, type NextEdit } from '../model/next-edit.ts'
import { isNeverSent } from '../never-sent.ts'
import { readOr } from '../read-or.ts'

/** Ordered by creation, so that websites added during the sweep come last. */
const FIRST_PAGE = { sort_by: 'id', sort: 'asc', per_page: 100 } as const

/** With more writes after one read of a page, other clients would have much time to write in between. */
const MAX_WRITES_PER_PAGE_READ = 24

/** Keeps a long list from blocking the main process. */
const MAX_LISTED_PER_STEP = 100

/** One run over the pages of the list. The edits of each page are sent before the next page is read. */
interface Sweep {
  /** The cursor of the current page; null for the first page. */
  cursor: string | null
  /** The ids on the current page. */
  ids: ReadonlySet<string>
  next: string | null
  pages: number
  /** The ids on all pages read. */
  seen: Set<string>
}

export type PreflightReads = ReturnType<typeof createPreflightReads>

/** Reads by page or singly, whichever takes fewer requests (docs/sync.md#reading-before-a-write). */
export function createPreflightReads(ports: Pick<OutboxPorts, 'service' | 'store' | 'readCache'>) {
  const { service, store, readCache } = ports
  let sweep: Sweep | null = null
  /** Some hosts return fewer records per page than requested. */
  let pageSize = 100
  /** The id of the next website to check among those on recently read pages of the list. */
  let listed: string | null = null
  /** The ids on the current page that have pending edits. */
  let onPage: string[] = []
  /** Number of writes since a page was read. */
  let writes = 0
  /** The website whose write the rate limit has delayed after its read, and how often. */
  let slow = { id: '', delays: 0 }
  /** Number of pending edits that the last sweep did not find. They are read singly and do not start another sweep. */
  let left = 0

  const countEditsToRead = (): number => {
    const kinds = store.waitingKinds()
    return kinds.update + kinds.delete
  }

  /** True if more edits need a read than pages are left. Ignores edits that a sweep has missed. False if the disk fails. */
  const isWorthPages = (pagesRead: number): boolean =>
    readOr(store, false, () => {
      const waiting = countEditsToRead()
      left = Math.min(left, waiting)
      return waiting - left > Math.max(1, Math.ceil(store.total() / pageSize) - pagesRead)
    })

  const isWorthGoingOn = ({ next, pages }: Sweep): boolean => next !== null && isWorthPages(pages)

  /** A page counts longer than a single read only if it saves reads for many websites. */
  const limit = (): ReadAgeLimit => (sweep !== null || isWorthPages(0) ? 'pages' : 'single')

  /** Returns null if the website has to be read again. */
  function recordOf(id: string): WebsiteRecord | null {
    // A write that was delayed repeatedly may be based on a read of up to a minute ago.
    const isSlow = slow.id === id && slow.delays > 1
    return readCache.of(id, isSlow ? 'delayed' : limit())
  }

  /** Returns the first edit of the website if that edit needs a read. */
  function headOf(id: string): NextEdit | null {
    const nextEdit = nextEditOf(store, store.websiteOfId(id))
    return nextEdit?.edit.standing.state === 'queued' && nextEdit.edit.kind !== 'create' ? nextEdit : null
  }

  /** Reads the page with the website, or the next page. Returns `otherPage` if the website may be on a later page. */
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

  /** `again`: true if this page was read before. */
  function addPage({ websites, next }: ServicePage, cursor: string | null, from: Sweep | null, again: boolean): Sweep {
    const ids = new Set(websites.map(({ id }) => id))
    const seen = from?.seen ?? new Set<string>()
    // A page without a new id means that the service repeats pages. The rest of such a list, or of one without an end, is read
    // singly.
    const goesOn = seen.size < MAX_WEBSITES && (again || [...ids].some((id) => !seen.has(id)))
    for (const id of ids) seen.add(id)
    // Smaller pages may cost more requests than they save.
    if (next !== null && ids.size > 0) pageSize = Math.min(pageSize, ids.size)
    onPage = readOr(store, [], () => [...ids].filter((id) => headOf(id) !== null))
    return { cursor, ids, next: goesOn ? next : null, pages: (from?.pages ?? 0) + (again ? 0 : 1), seen }
  }

  /** Ends the sweep if its page has no more edits. */
  function single(id: string): Promise<Outcome<WebsiteRecord>> {
    if (onPage.length === 0) end()
    return service.get(id)
  }

  function giveUp(id: string): Promise<Outcome<WebsiteRecord>> {
    onPage = []
    return single(id)
  }

  /** Single edits after a delivery by pages are based on single reads again. */
  function endIfDone(): void {
    if (sweep !== null && onPage.length === 0 && !isWorthGoingOn(sweep) && !isWorthPages(0)) end()
  }

  /** The edits that the sweep has not found are read singly from now on. */
  function end(): void {
    sweep = null
    left = readOr(store, left, countEditsToRead)
  }

  return {
    /**
     * Returns an edit whose website was on a recently read page, and which goes before others while that read is recent. Returns
     * the same edit until it may no longer go. Null if there is none among the websites checked in this step.
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
    noteWrite(id: string) {
      writes += 1
      if (slow.id === id) slow = { id: '', delays: 0 }
    },
    /** Call it when the rate limit delays the write of this website after its read. */
    noteDelay: (id: string) => void (slow = { id, delays: slow.id === id ? slow.delays + 1 : 1 }),
  }
}

/** True if the service would reject any read now, so that single reads would not help either. */
const affectsAllReads = ({ error: { code } }: Exclude<Outcome<unknown>, { outcome: 'applied' }>): boolean =>
  code === 'rate-limited' || code === 'unauthenticated' || isNeverSent(code)
