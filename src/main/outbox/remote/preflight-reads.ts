import { ok } from '../../../shared/result.ts'
import { MOST_WEBSITES, type WebsiteRecord } from '../../../shared/website.ts'
import type { Outcome } from '../../service/outcome.ts'
import type { ServicePage } from '../../service/port.ts'
import type { OutboxPorts, ReadLimit } from '../ports.ts'
import { nextEditOf, type NextEdit } from '../model/next-edit.ts'
import { isNeverSent } from '../never-sent.ts'

/** In the order of their creation, so that those added meanwhile come last. */
const FIRST_PAGE = { sort_by: 'id', sort: 'asc', per_page: 100 } as const

/** How many writes follow one read of a page at most: on a fast service more would leave a long window for other clients' writes. */
const WRITES_FOR_PAGE = 24

/** So many of those that pages have brought are looked at for one step: all of a long list at once would hold up whoever asks main. */
const LOOKS = 100

/** How a touched record is read before its write: by pages or singly, whichever costs fewer requests (docs/sync.md#reading-before-a-write). */
export interface PreflightReads {
  /**
   * The first edit of a website that a page has brought: it goes before others, while what was read of it counts. Answers
   * the same one until it may no longer go. Null: there's none, or it's too far down the list for one step.
   */
  next(mayGo: (nextEdit: NextEdit) => boolean): NextEdit | null
  /** Returns the record as it is there, or `elsewhere`: a page was read that it isn't on, and those on that page go first. */
  read(id: string): Promise<Outcome<WebsiteRecord> | 'otherPage'>
  /** Returns the newest record that a write may be based on now, or null: the website has to be read (again). */
  known(id: string): WebsiteRecord | null
  /** The write of this website leaves now. */
  wrote(id: string): void
  /** The website was read, and its write has to wait for the rate limit. */
  delayed(id: string): void
}

/** One run over the pages of the list; on each page those that wait are sent before the next one is read. */
interface Sweep {
  /** How the page at hand was asked for; null: as the first one. */
  cursor: string | null
  ids: ReadonlySet<string>
  /** How the one after it is; null: there's none. */
  next: string | null
  pages: number
  seen: Set<string>
}

export function createPreflightReads({
  service,
  store,
  readCache,
}: Pick<OutboxPorts, 'service' | 'store' | 'readCache'>): PreflightReads {
  let sweep: Sweep | null = null
  let pageSize = 100
  /** Of those that any page has brought, the one that goes next. */
  let listed: string | null = null
  /** The ids on the page at hand that have pending edits; their page is read again when it no longer counts. */
  let onPage: string[] = []
  /** Writes since a page was read. */
  let writes = 0
  /** The website whose write was delayed by the rate limit after its read, and how often. */
  let slow = { id: '', delays: 0 }
  /** How many waited when the last sweep was over: what it hasn't found is read singly, and is no reason for another. */
  let left = 0

  /** What can't be read of the disk just now is no reason to read pages. */
  function look<T>(work: () => T, otherwise: T): T {
    const looked = store.read(() => ok(work()))
    return looked.ok ? looked.value : otherwise
  }

  const touched = (): number => {
    const kinds = store.waitingKinds()
    return kinds.update + kinds.delete
  }

  /** Whether more wait than there are pages, those apart that a sweep has read already. */
  function isWorthPages(pagesRead: number): boolean {
    const waiting = touched()
    left = Math.min(left, waiting)
    return waiting - left > Math.max(1, Math.ceil(store.total() / pageSize) - pagesRead)
  }

  const isWorthGoingOn = ({ next, pages }: Sweep): boolean => next !== null && look(() => isWorthPages(pages), false)

  /** A page that was read counts longer than a single read only if it saves reads for many websites. */
  const limit = (): ReadLimit => (sweep !== null || look(() => isWorthPages(0), false) ? 'pages' : 'single')

  function known(id: string): WebsiteRecord | null {
    // On a slow host the write goes after one more read, however long that takes.
    const isSlow = slow.id === id && slow.delays > 1
    return readCache.of(id, isSlow ? 'known' : limit())
  }

  /** The first edit of the website with this id, if it's one to be read for. */
  function headOf(id: string): NextEdit | null {
    const nextEdit = nextEditOf(store, store.websiteOfId(id))
    return nextEdit?.edit.standing.state === 'queued' && nextEdit.edit.kind !== 'create' ? nextEdit : null
  }

  async function readPage(id: string, from: Sweep | null): Promise<Outcome<WebsiteRecord> | 'otherPage'> {
    const again = from?.ids.has(id) === true
    const cursor = again ? from.cursor : (from?.next ?? null)
    const page = await (cursor === null ? service.list(FIRST_PAGE) : service.listNext(cursor))
    if (page.outcome !== 'applied') return isRejectedForAll(page) ? page : giveUp(id)
    sweep = take(page.value, cursor, from, again)
    writes = 0
    const record = readCache.of(id, 'pages')
    if (record !== null) return { ...page, value: record }
    return isWorthGoingOn(sweep) ? 'otherPage' : single(id)
  }

  function take({ websites, next }: ServicePage, cursor: string | null, from: Sweep | null, again: boolean): Sweep {
    const ids = new Set(websites.map(({ id }) => id))
    const seen = from?.seen ?? new Set<string>()
    // Without a new id: a service that loops. One that never ends is read singly.
    const goesOn = seen.size < MOST_WEBSITES && (again || [...ids].some((id) => !seen.has(id)))
    for (const id of ids) seen.add(id)
    // Some hosts give less than was asked for: then pages may cost more than they save.
    if (next !== null && ids.size > 0) pageSize = Math.min(pageSize, ids.size)
    onPage = look(() => [...ids].filter((id) => headOf(id) !== null), [])
    return { cursor, ids, next: goesOn ? next : null, pages: (from?.pages ?? 0) + (again ? 0 : 1), seen }
  }

  function single(id: string): Promise<Outcome<WebsiteRecord>> {
    if (onPage.length === 0) end()
    return service.get(id)
  }

  /** The list can't be read, though single records may be. */
  function giveUp(id: string): Promise<Outcome<WebsiteRecord>> {
    onPage = []
    return single(id)
  }

  function end(): void {
    sweep = null
    left = look(touched, left)
  }

  return {
    next(mayGo) {
      for (let id = onPage[0]; id !== undefined; id = onPage[0]) {
        const head = headOf(id)
        if (head !== null && mayGo(head)) return head
        onPage.shift()
      }
      listed ??= readCache.takeListed()
      for (let looks = LOOKS; listed !== null && looks > 0; listed = readCache.takeListed(), looks--) {
        const head = readCache.of(listed, limit()) === null ? null : headOf(listed)
        if (head !== null && mayGo(head)) return head
      }
      return null
    },
    async read(id) {
      const isUsedUp = writes >= WRITES_FOR_PAGE && sweep?.ids.has(id) === true
      const record = isUsedUp ? null : known(id)
      if (record !== null) return { outcome: 'applied', value: record, meta: {} }
      if (sweep === null) return look(() => isWorthPages(0), false) ? readPage(id, null) : service.get(id)
      return sweep.ids.has(id) || isWorthGoingOn(sweep) ? readPage(id, sweep) : single(id)
    },
    known,
    wrote(id) {
      writes += 1
      if (slow.id === id) slow = { id: '', delays: 0 }
    },
    delayed: (id) => void (slow = { id, delays: slow.id === id ? slow.delays + 1 : 1 }),
  }
}

/** No read would be answered now: it's no matter of pages. */
const isRejectedForAll = ({ error: { code } }: Exclude<Outcome<unknown>, { outcome: 'applied' }>): boolean =>
  code === 'rate-limited' || code === 'unauthenticated' || isNeverSent(code)
