import { fail, type AppError } from '../../../shared/result.ts'
import type { WebsiteRecord, WebsiteSettings } from '../../../shared/website.ts'
import type { Outcome } from '../../service/outcome.ts'
import { areDifferentStates, isStale, MAX_STALENESS } from './staleness.ts'
import { differingFields } from '../model/compare-with-record.ts'
import type { Clock, ReadCache, OutboxStore, ReadAgeLimit } from '../ports.ts'
import { readOr } from '../read-or.ts'

/** Maximum age of a record for a write, in milliseconds after its answer (docs/sync.md#reading-before-a-write). */
const MAX_AGE = { single: 2_000, page: 15_000 }

/** Time in milliseconds for which a known record is compared with later reads. */
const REMEMBERED_FOR = 60_000

/** The error of a read whose answer may be older than what is known. */
export const STALE_READ: AppError = fail('unavailable').error

/** A point in time by both clocks. */
interface ClockTimes {
  monotonic: number
  wall: number
}

/**
 * A noted answer. `at` is the time when its request began, and `answeredAt` the time of the answer. Reads that began before
 * `since` are ignored. `since` and `ended` are positions in the order of events; `ended` is that of the answer.
 */
interface NotedAnswer {
  /** The record, or null if a write may have changed it in an unknown way. */
  record: WebsiteRecord | null
  at: ClockTimes
  since: number
  ended: number
  answeredAt: ClockTimes
  /** The kind of the read: with a page of the list, or singly. The answer to a write counts as `single`. */
  by: keyof typeof MAX_AGE
  /** The last record known for certain: the current one cannot be older. */
  last: KnownRecord | null
  /** The time when a write of ours was answered that `last` does not show yet, or null. */
  wrote: number | null
  /** True if a read could show the write, so that a read without it is older. */
  shows: boolean
  /** The record of a read that was not trusted, because it may be older than the last known one. */
  doubted?: WebsiteRecord
}

/** A record that is known for certain: from a trusted read, from the answer to a write of ours, or from the database. */
interface KnownRecord {
  record: WebsiteRecord
  at: ClockTimes
  /** True if the record is the answer to a write of ours or comes from an earlier process; false if it was read. */
  written: boolean
  /** The time of our last answered write up to this record, by the monotonic clock, or null: a host may lag behind that write. */
  wrote: number | null
  /** The record that our last write up to this record has replaced, as far as known. */
  replaced?: WebsiteRecord | undefined
}

/** Creates the cache. `storedRecord` returns the record from before this process, which a host may lag behind as well. */
export function createReadCache(
  clock: Pick<Clock, 'monotonic' | 'wall'>,
  storedRecord: (id: string) => WebsiteRecord | null = () => null,
): ReadCache {
  const reads = new Map<string, NotedAnswer>()
  /** The ids of pages that {@link ReadCache.takeListed} has not returned yet, in order. */
  const listed: { at: ClockTimes; ids: string[] }[] = []
  // Numbers the starts and ends of requests, because their times can be equal.
  let moment = 0

  const now = (): ClockTimes => ({ monotonic: clock.monotonic(), wall: clock.wall() })

  const opened = now()

  /** True if a record was known recently by the monotonic clock alone, so that jumps of the wall clock do not matter. */
  const isRecent = (at: ClockTimes): boolean => clock.monotonic() - at.monotonic <= REMEMBERED_FOR

  /**
   * True if at most `ms` have passed by both clocks: the monotonic clock may stand still during sleep, and a wall clock that has
   * jumped proves nothing.
   */
  const isWithin = (at: ClockTimes, ms: number): boolean =>
    clock.monotonic() - at.monotonic <= ms && Math.abs(clock.wall() - at.wall) <= ms

  function note(id: string, read: NotedAnswer): void {
    // Entries stay roughly in the order of their times, so that expired ones come first.
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

  /** True if the noted record comes from a read, not from the answer to a write. */
  const isRead = (noted: NotedAnswer): noted is NotedAnswer & { record: WebsiteRecord } =>
    noted.record !== null && (noted.last?.record !== noted.record || !noted.last.written)

  /** Returns the last record known for certain; just after the start of the app, the stored one if no other is known. */
  function lastOf(id: string): KnownRecord | null {
    const last = reads.get(id)?.last ?? null
    if (last !== null || !isRecent(opened)) return last
    const record = storedRecord(id)
    // The previous process may have changed the website on the service just before it ended.
    return record === null ? null : { record, at: opened, written: true, wrote: opened.monotonic }
  }

  /** Returns the last known record if it is newer than this one, otherwise null. */
  function newerThan(record: WebsiteRecord, last = lastOf(record.id)): KnownRecord | null {
    if (last === null || !isRecent(last.at)) return null
    const noted = reads.get(record.id)
    const hasJustWritten = noted?.wrote != null && clock.monotonic() - noted.wrote <= MAX_STALENESS
    if (hasJustWritten && noted.shows && !areDifferentStates(last.record, record)) return last
    const writtenFor = last.wrote === null ? null : clock.monotonic() - last.wrote
    const isRecentWrite = writtenFor !== null && writtenFor <= MAX_STALENESS
    // Times don't help here: the service's clock may have been set back.
    const isReplaced =
      last.replaced !== undefined &&
      !areDifferentStates(last.replaced, record) &&
      areDifferentStates(last.record, record)
    if (isRecentWrite && isReplaced) return last
    return isStale({ record: last.record, writtenFor }, record) ? last : null
  }

  /**
   * True if a read that began before the noted one, and was answered after it, shows another state, unless the read is known to
   * be older.
   */
  function contradicts(record: WebsiteRecord, noted: NotedAnswer): boolean {
    if (noted.record === null || !areDifferentStates(noted.record, record)) return false
    return isRead(noted) || !isStale({ record: noted.record, writtenFor: null }, record)
  }

  /**
   * True if two reads overlap and it is unknown which is newer: the later one shows another state with no later time, or the
   * noted one was not certain itself.
   */
  const mayBeStale = (record: WebsiteRecord, noted: NotedAnswer, since: number): boolean =>
    noted.ended > since &&
    (noted.record === null ||
      (isRead(noted) &&
        areDifferentStates(noted.record, record) &&
        !isStale({ record, writtenFor: null }, noted.record)))

  /** Makes a read, and notes the records in its answer. */
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
      // If this answer may be older than the last known record (`last`), another read has to decide which of the two is current.
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

  /**
   * Makes a read of one website. Returns its answer as in doubt ({@link STALE_READ}) if the answer may be older than what is
   * known.
   */
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

  /** Notes that a website was not found: its known record no longer counts, so that it is read again. */
  function missed(id: string, since: number): void {
    const noted = reads.get(id)
    if (noted !== undefined) reads.set(id, { ...noted, record: null, since: Math.max(noted.since, since) })
  }

  /**
   * Notes the answer to a write. A read that overlapped the write may show the state before it, or a later change by another
   * client. If it differs from the answer, another read has to decide.
   */
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
      // A slow answer shows the record as it was when the service wrote it, which may be as early as the request.
      const answer = { at, since, ended: since, answeredAt: at, by: 'single' as const }
      note(record.id, { ...answer, record: crossed ? null : record, last, wrote: null, shows: false })
    } else if (id !== null && outcome.outcome !== 'notApplied') {
      // The website may have changed in an unknown way. Only a rejected request has certainly changed nothing.
      const wrote = outcome.outcome === 'applied' ? clock.monotonic() : null
      const last = lastOf(id)
      const shows = last !== null && differingFields(changes, last.record).length > 0
      note(id, { record: null, at: now(), since, ended: since, answeredAt: now(), by: 'single', last, wrote, shows })
    }
    return outcome
  }

  /** Notes the ids of a page for {@link ReadCache.takeListed}, and returns the records. */
  function ofPage({ websites }: { websites: WebsiteRecord[] }): WebsiteRecord[] {
    listed.push({ at: now(), ids: websites.map(({ id }) => id).toReversed() })
    return websites
  }

  function of(id: string, limit: ReadAgeLimit): WebsiteRecord | null {
    const read = reads.get(id)
    if (read === undefined) return null
    const ms = limit === 'delayed' ? REMEMBERED_FOR : MAX_AGE[limit === 'pages' ? read.by : 'single']
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

/** Returns the stored record of a website, or null if there is none or the disk cannot be read. */
export const storedRecordReader =
  (store: OutboxStore) =>
  (id: string): WebsiteRecord | null =>
    readOr(store, null, () => store.websiteOfId(id)?.record ?? null)
