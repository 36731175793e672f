import { fail, type AppError } from '../../../shared/result.ts'
import type { WebsiteRecord, WebsiteSettings } from '../../../shared/website.ts'
import type { Outcome } from '../../service/outcome.ts'
import { areDifferentStates, isStale, MAX_STALENESS } from './staleness.ts'
import { differingFields } from '../model/compare-with-record.ts'
import type { Clock, ReadCache, OutboxStore, ReadAgeLimit } from '../ports.ts'
import { readOr } from '../read-or.ts'

/** Maximum age of a record for a write, in milliseconds after its response (docs/sync.md#reading-before-a-write). */
const MAX_AGE = { single: 2_000, page: 15_000 }

/** A known record is compared with later reads for this long. */
const REMEMBERED_FOR_MS = 60_000

/** The error of a read whose response may be older than what is known. */
export const STALE_READ: AppError = fail('unavailable').error

/** A point in time by both clocks. */
interface ClockTimes {
  monotonic: number
  wall: number
}

/** A response to a read or a write. */
interface NotedAnswer {
  /** Null if a write may have changed the record in an unknown way. */
  record: WebsiteRecord | null
  /** When the request began. */
  at: ClockTimes
  /** A position in the order of events: reads that began before it are ignored. */
  since: number
  /** The position of the response in the order of events. */
  ended: number
  answeredAt: ClockTimes
  /** The kind of read. The response to a write counts as `single`. */
  by: keyof typeof MAX_AGE
  /** The last record known for certain: the current one cannot be older. */
  last: KnownRecord | null
  /** When the service responded to a write of ours that `last` does not show yet, by the monotonic clock. */
  wrote: number | null
  /** True if a read could show that write, so that a read without it is older. */
  shows: boolean
  /** The record of a read that was not trusted, because it may be older than the last known one. */
  doubted?: WebsiteRecord
}

/** A record that is known for certain: from a trusted read, the response to a write of ours, or the database. */
interface KnownRecord {
  record: WebsiteRecord
  at: ClockTimes
  /** True if the record is the response to a write of ours or comes from an earlier process; false if it was read. */
  written: boolean
  /** When the service responded to our last write up to this record, by the monotonic clock. A host may lag behind that write. */
  wrote: number | null
  /** The record that this write has replaced, if known. */
  replaced?: WebsiteRecord | undefined
}

/** `storedRecord` returns the record from before this process, which a host may lag behind as well. */
export function createReadCache(
  clock: Pick<Clock, 'monotonic' | 'wall'>,
  storedRecord: (id: string) => WebsiteRecord | null = () => null,
): ReadCache {
  const reads = new Map<string, NotedAnswer>()
  /** Pages with the ids that {@link ReadCache.takeListed} has not returned yet. */
  const listed: { at: ClockTimes; ids: string[] }[] = []
  // Numbers the starts and ends of requests, because their times can be equal.
  let moment = 0

  const now = (): ClockTimes => ({ monotonic: clock.monotonic(), wall: clock.wall() })

  const opened = now()

  /** Uses only the monotonic clock, so that jumps of the wall clock do not matter. */
  const isRecent = (at: ClockTimes): boolean => clock.monotonic() - at.monotonic <= REMEMBERED_FOR_MS

  /** Uses both clocks: the monotonic clock may stand still during sleep, and a wall clock that has jumped proves nothing. */
  const isWithin = (at: ClockTimes, ms: number): boolean =>
    clock.monotonic() - at.monotonic <= ms && Math.abs(clock.wall() - at.wall) <= ms

  function note(id: string, read: NotedAnswer): void {
    // Keeps entries roughly in the order of their times, so that expired ones come first.
    reads.delete(id)
    reads.set(id, read)
  }

  function forgetOld(): void {
    for (const [id, { at }] of reads) {
      if (isRecent(at)) break
      reads.delete(id)
    }
    while (listed[0] !== undefined && !isWithin(listed[0].at, MAX_AGE.page)) listed.shift()
  }

  /** False for the response to a write. */
  const isRead = (noted: NotedAnswer): noted is NotedAnswer & { record: WebsiteRecord } =>
    noted.record !== null && (noted.last?.record !== noted.record || !noted.last.written)

  /** Returns the stored record just after the start of the app, if no other is known. */
  function lastOf(id: string): KnownRecord | null {
    const last = reads.get(id)?.last ?? null
    if (last !== null || !isRecent(opened)) return last
    const record = storedRecord(id)
    // The previous process may have written to the website just before it ended.
    return record === null ? null : { record, at: opened, written: true, wrote: opened.monotonic }
  }

  /** Returns the last known record if it is newer than `record`. */
  function newerThan(record: WebsiteRecord, last = lastOf(record.id)): KnownRecord | null {
    if (last === null || !isRecent(last.at)) return null
    const noted = reads.get(record.id)
    const hasJustWritten = noted?.wrote != null && clock.monotonic() - noted.wrote <= MAX_STALENESS
    if (hasJustWritten && noted.shows && !areDifferentStates(last.record, record)) return last
    const writtenFor = last.wrote === null ? null : clock.monotonic() - last.wrote
    const isRecentWrite = writtenFor !== null && writtenFor <= MAX_STALENESS
    // Times don't help here, because the service's clock may have been set back.
    const isReplaced =
      last.replaced !== undefined &&
      !areDifferentStates(last.replaced, record) &&
      areDifferentStates(last.record, record)
    if (isRecentWrite && isReplaced) return last
    return isStale({ record: last.record, writtenFor }, record) ? last : null
  }

  /** True if the read began before the noted one, ended after it and shows another state that is not known to be older. */
  function contradicts(record: WebsiteRecord, noted: NotedAnswer): boolean {
    if (noted.record === null || !areDifferentStates(noted.record, record)) return false
    return isRead(noted) || !isStale({ record: noted.record, writtenFor: null }, record)
  }

  /** True if the reads overlapped and nothing tells which of them is newer. */
  const mayBeStale = (record: WebsiteRecord, noted: NotedAnswer, since: number): boolean =>
    noted.ended > since &&
    (noted.record === null ||
      (isRead(noted) &&
        areDifferentStates(noted.record, record) &&
        !isStale({ record, writtenFor: null }, noted.record)))

  async function readAndNote<T>(
    by: NotedAnswer['by'],
    ask: () => Promise<Outcome<T>>,
    found: (value: T) => readonly WebsiteRecord[],
  ) {
    const [at, since] = [now(), ++moment]
    const outcome = await ask()
    const [answeredAt, ended] = [now(), ++moment]
    forgetOld()
    if (outcome.outcome !== 'applied') return outcome
    for (const record of found(outcome.value)) {
      const noted = reads.get(record.id)
      if (noted !== undefined && noted.since >= since) {
        // Two reads overlapped and differ: a third read has to decide.
        if (contradicts(record, noted)) reads.set(record.id, { ...noted, record: null })
        continue
      }
      const before = lastOf(record.id)
      const last =
        newerThan(record, before) ?? (noted !== undefined && mayBeStale(record, noted, since) ? before : null)
      const { wrote = null, shows = false } = noted ?? {}
      // If this response may be older than the last known record, another read has to decide which of them is current.
      const read = { at, since, ended, answeredAt, by }
      if (last !== null) note(record.id, { ...read, record: null, last, wrote, shows, doubted: record })
      else {
        const lastKnown = {
          record,
          at,
          written: false,
          wrote: wrote ?? before?.wrote ?? null,
          replaced: before?.replaced,
        }
        note(record.id, { ...read, record, last: lastKnown, wrote: null, shows: false })
      }
    }
    return outcome
  }

  /** Returns the response as in doubt ({@link STALE_READ}) if it may be older than what is known. */
  async function readingOne(id: string, ask: () => Promise<Outcome<WebsiteRecord>>): Promise<Outcome<WebsiteRecord>> {
    const since = moment + 1
    const outcome = await readAndNote('single', ask, (record) => [record])
    if (outcome.outcome !== 'applied') {
      if (outcome.error.code === 'not-found') missed(id, since)
      return outcome
    }
    if (reads.get(outcome.value.id)?.record !== null && newerThan(outcome.value) === null) return outcome
    return { outcome: 'inDoubt', error: STALE_READ, meta: outcome.meta }
  }

  /** The known record of a website that was not found no longer counts: the website is read again. */
  function missed(id: string, since: number): void {
    const noted = reads.get(id)
    if (noted !== undefined) reads.set(id, { ...noted, record: null, since: Math.max(noted.since, since) })
  }

  /** A read that overlapped the write may show the state before it. If it differs from the response, another read decides. */
  async function writing<T extends WebsiteRecord | null>(
    id: string | null,
    ask: () => Promise<Outcome<T>>,
    changes: Partial<WebsiteSettings> = {},
  ) {
    const [at, begun] = [now(), ++moment]
    const outcome = await ask()
    const record = outcome.outcome === 'applied' ? outcome.value : null
    const since = ++moment
    if (record !== null) {
      const read = reads.get(record.id)
      const crossed =
        read !== undefined &&
        read.ended > begun &&
        (!isRead(read) || isStale({ record: read.record, writtenFor: 0 }, record))
      const replaced = read?.last?.record
      const last = { record, at, written: true, wrote: clock.monotonic(), replaced }
      // A slow response shows the record as it was when the service wrote it, which may be as early as the request.
      const answer = { at, since, ended: since, answeredAt: at, by: 'single' as const }
      note(record.id, { ...answer, record: crossed ? null : record, last, wrote: null, shows: false })
    } else if (id !== null && outcome.outcome !== 'notApplied') {
      // Only a rejected request has certainly changed nothing. Otherwise the website may have changed in an unknown way.
      const wrote = outcome.outcome === 'applied' ? clock.monotonic() : null
      const last = lastOf(id)
      const shows = last !== null && differingFields(changes, last.record).length > 0
      note(id, { record: null, at: now(), since, ended: since, answeredAt: now(), by: 'single', last, wrote, shows })
    }
    return outcome
  }

  /** Keeps the ids of the page for {@link ReadCache.takeListed}. */
  function ofPage({ websites }: { websites: WebsiteRecord[] }): WebsiteRecord[] {
    listed.push({ at: now(), ids: websites.map(({ id }) => id).toReversed() })
    return websites
  }

  function of(id: string, limit: ReadAgeLimit): WebsiteRecord | null {
    const read = reads.get(id)
    if (read === undefined) return null
    const ms = limit === 'delayed' ? REMEMBERED_FOR_MS : MAX_AGE[limit === 'pages' ? read.by : 'single']
    return isWithin(read.answeredAt, ms) ? read.record : null
  }

  function noteProven(record: WebsiteRecord): void {
    const noted = reads.get(record.id)
    const isNoted = noted?.record != null && !areDifferentStates(noted.record, record)
    const [at, since] = [now(), ++moment]
    const last = { record, at, written: true, wrote: clock.monotonic() }
    const read = isNoted ? noted : { record: null, at, ended: since, answeredAt: at, by: 'single' as const }
    note(record.id, { ...read, since, last, wrote: null, shows: false })
  }

  return {
    noting: (service) => ({
      list: (query) => readAndNote('page', () => service.list(query), ofPage),
      listNext: (next) => readAndNote('page', () => service.listNext(next), ofPage),
      get: (id) => readingOne(id, () => service.get(id)),
      create: (draft) => writing(null, () => service.create(draft)),
      update: (id, changes) => writing(id, () => service.update(id, changes), changes),
      delete: (id) => writing(id, () => service.delete(id)),
      account: () => service.account(),
    }),
    of,
    newest: (record) => newerThan(record, reads.get(record.id)?.last ?? null)?.record ?? record,
    doubted: (id) => reads.get(id)?.doubted ?? null,
    timeSinceWrite(id) {
      const wrote = reads.get(id)?.last?.wrote ?? opened.monotonic
      return wrote === opened.monotonic ? null : clock.monotonic() - wrote
    },
    noteProven,
    takeListed() {
      for (;;) {
        const [page] = listed
        if (page === undefined) return null
        const id = page.ids.pop()
        if (id === undefined) listed.shift()
        else if (of(id, 'pages') !== null) return id
      }
    },
    forgetOld,
  }
}

/** Returns a reader of stored records, by website id. It returns null without a record, or if the disk cannot be read. */
export const storedRecordReader =
  (store: OutboxStore) =>
  (id: string): WebsiteRecord | null =>
    readOr(store, null, () => store.websiteOfId(id)?.record ?? null)
