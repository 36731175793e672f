import { fail, ok, type AppError } from '../../../shared/result.ts'
import type { WebsiteRecord, WebsiteSettings } from '../../../shared/website.ts'
import type { Outcome } from '../../service/outcome.ts'
import { areApart, isStale, MAX_STALENESS } from './staleness.ts'
import { differing } from '../model/changed.ts'
import type { Clock, ReadCache, OutboxStore, ReadLimit } from '../ports.ts'

/** How long a record counts for a write after the answer that brought it, in milliseconds (docs/sync.md#reading-before-a-write). */
const COUNTS_FOR = { single: 2_000, page: 15_000 }

/** How long a known record is compared with what later reads show, in milliseconds. */
const KNOWN_FOR = 60_000

/** It was answered, with a record that may be from before what is known. */
export const STALE_READ: AppError = fail('unavailable').error

/** A point in time by both clocks. */
interface Time {
  monotonic: number
  wall: number
}

/** `since`: what was begun before that is ignored; `ended`: when it was answered, as a moment; `answeredAt`: the same as a time. */
interface Noted {
  /** Null: a write may have changed it, nobody knows to what. */
  record: WebsiteRecord | null
  at: Time
  since: number
  ended: number
  answeredAt: Time
  by: keyof typeof COUNTS_FOR
  /** The last that was known for certain: what is there can't be older. */
  last: Known | null
  /** When a write of ours was answered that `last` doesn't show yet; null: there's none. */
  wrote: number | null
  /** It would be seen: what a read shows as it was before that, is of before it. */
  shows: boolean
}

interface Known {
  record: WebsiteRecord
  at: Time
  /** It was the answer to a write of ours, or has outlived the process that wrote it; else it was read. */
  written: boolean
  /** When the latest write of ours before it was answered, also with nothing, by the monotonic clock: a host may be behind that. */
  wrote: number | null
}

/** `kept`: a record as it was known before the process began: a host may be behind that as well. */
export function createReadCache(
  clock: Pick<Clock, 'monotonic' | 'wall'>,
  kept: (id: string) => WebsiteRecord | null = () => null,
): ReadCache {
  const reads = new Map<string, Noted>()
  /** What pages brought, in the order of their coming; those that have been taken aren't in it any more. */
  const listed: { at: Time; ids: string[] }[] = []
  // Counts the beginnings and ends of requests: their times may be the same.
  let moment = 0

  const now = (): Time => ({ monotonic: clock.monotonic(), wall: clock.wall() })

  const opened = now()

  /** By the running time alone: what was known so lately counts against what is older, however the wall clock jumps. */
  const isRecent = (at: Time): boolean => clock.monotonic() - at.monotonic <= KNOWN_FOR

  /**
   * True if at most `ms` have passed by both clocks: the monotonic clock may stand still during sleep, and a wall clock that has
   * jumped proves nothing.
   */
  const isWithin = (at: Time, ms: number): boolean =>
    clock.monotonic() - at.monotonic <= ms && Math.abs(clock.wall() - at.wall) <= ms

  function note(id: string, read: Noted): void {
    // Kept in the order of their times, but for a few, so that those which are over are in front.
    reads.delete(id)
    reads.set(id, read)
  }

  function forgetOld(): void {
    for (const [id, { at }] of reads) {
      if (isRecent(at)) break
      reads.delete(id)
    }
    while (listed[0] !== undefined && !isWithin(listed[0].at, COUNTS_FOR.page)) listed.shift()
  }

  const isRead = (noted: Noted): noted is Noted & { record: WebsiteRecord } =>
    noted.record !== null && (noted.last?.record !== noted.record || !noted.last.written)

  function lastOf(id: string): Known | null {
    const last = reads.get(id)?.last ?? null
    if (last !== null || !isRecent(opened)) return last
    const record = kept(id)
    // The process before may have written it with its last breath.
    return record === null ? null : { record, at: opened, written: true, wrote: opened.monotonic }
  }

  /** The last that was known, where a record is older than that. */
  function newerThan(record: WebsiteRecord, last = lastOf(record.id)): Known | null {
    if (last === null || !isRecent(last.at)) return null
    const noted = reads.get(record.id)
    const hasJustWritten = noted?.wrote != null && clock.monotonic() - noted.wrote <= MAX_STALENESS
    if (hasJustWritten && noted.shows && !areApart(last.record, record)) return last
    const writtenFor = last.wrote === null ? null : clock.monotonic() - last.wrote
    return isStale({ record: last.record, writtenFor }, record) ? last : null
  }

  /** Whether a read that was begun before what is noted, and answered after it, shows something else; not where it's the older one for certain. */
  function contradicts(record: WebsiteRecord, noted: Noted): boolean {
    if (noted.record === null || !areApart(noted.record, record)) return false
    return isRead(noted) || !isStale({ record: noted.record, writtenFor: null }, record)
  }

  /** Whether a read that was begun after what is noted, and before that was answered, shows something else, at no later time. */
  const mayBeStale = (record: WebsiteRecord, noted: Noted, since: number): boolean =>
    isRead(noted) &&
    noted.ended > since &&
    areApart(noted.record, record) &&
    !isStale({ record, writtenFor: null }, noted.record)

  async function readAndNote<T>(
    by: Noted['by'],
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
        // Two requests crossed: which of them tells what is there now, a third has to.
        if (contradicts(record, noted)) reads.set(record.id, { ...noted, record: null })
        continue
      }
      const before = lastOf(record.id)
      const last =
        newerThan(record, before) ?? (noted !== undefined && mayBeStale(record, noted, since) ? before : null)
      const { wrote = null, shows = false } = noted ?? {}
      // Which of the two is there now, another read has to tell.
      const read = { at, since, ended, answeredAt, by }
      if (last !== null) note(record.id, { ...read, record: null, last, wrote, shows })
      else {
        const known = { record, at, written: false, wrote: wrote ?? before?.wrote ?? null }
        note(record.id, { ...read, record, last: known, wrote: null, shows: false })
      }
    }
    return outcome
  }

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

  /** A website that is not found is no longer as it was read before: it has to be read again. */
  function missed(id: string, since: number): void {
    const noted = reads.get(id)
    if (noted !== undefined) reads.set(id, { ...noted, record: null, since: Math.max(noted.since, since) })
  }

  /**
   * What was read while a write was under way may be of before it, and what another has written since may be in that read: where
   * it shows something else than the answer, a further read has to tell.
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
      const last = { record, at, written: true, wrote: clock.monotonic() }
      const answer = { at, since, ended: since, answeredAt: now(), by: 'single' as const }
      note(record.id, { ...answer, record: crossed ? null : record, last, wrote: null, shows: false })
    } else if (id !== null && outcome.outcome !== 'notApplied') {
      // Turned away, it would have changed nothing.
      const wrote = outcome.outcome === 'applied' ? clock.monotonic() : null
      const last = lastOf(id)
      const shows = last !== null && differing(changes, last.record).length > 0
      note(id, { record: null, at: now(), since, ended: since, answeredAt: now(), by: 'single', last, wrote, shows })
    }
    return outcome
  }

  function ofPage({ websites }: { websites: WebsiteRecord[] }): WebsiteRecord[] {
    listed.push({ at: now(), ids: websites.map(({ id }) => id).toReversed() })
    return websites
  }

  function of(id: string, limit: ReadLimit): WebsiteRecord | null {
    const read = reads.get(id)
    if (read === undefined) return null
    const ms = limit === 'known' ? KNOWN_FOR : COUNTS_FOR[limit === 'pages' ? read.by : 'single']
    return isWithin(read.answeredAt, ms) ? read.record : null
  }

  function proven(record: WebsiteRecord): void {
    const noted = reads.get(record.id)
    const isNoted = noted?.record != null && !areApart(noted.record, record)
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
    writtenFor(id) {
      const wrote = reads.get(id)?.last?.wrote ?? opened.monotonic
      return wrote === opened.monotonic ? null : clock.monotonic() - wrote
    },
    proven,
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

/** A record as it's kept on disk; null: there's none, or it can't be read. */
export function keptIn(store: OutboxStore): (id: string) => WebsiteRecord | null {
  return (id) => {
    const kept = store.read(() => ok(store.websiteOfId(id)?.record ?? null))
    return kept.ok ? kept.value : null
  }
}
