import type { WebsiteRecord } from '../../shared/website.ts'
import type { Outcome } from '../service/outcome.ts'
import type { Service } from '../service/port.ts'
import type { Clock } from './ports.ts'

/** A touched record is read at most so long before its PUT (sync.md, "Merging"). Milliseconds. */
const FRESH_FOR = 60_000

/**
 * The records that were read within the last minute, whoever asked for them. In memory alone: a restart reads anew. A time is
 * that at which the request left, by the monotonic clock: what was answered later may be no newer than that.
 */
export interface FreshReads {
  /** The same service, its answers noted. It belongs next to the network, behind whatever a request has to wait for. */
  noting(service: Service): Service
  /** As read, or answered to a PUT, at most 60 s ago; null: it's to be read. */
  of(id: string): WebsiteRecord | null
  /** The next id that a page of the list brought, each once; null: there's none, or it was too long ago. */
  takeListed(): string | null
}

export function createFreshReads(clock: Pick<Clock, 'monotonic'>): FreshReads {
  const reads = new Map<string, { record: WebsiteRecord; at: number }>()
  let listed: string[] = []
  let taken = 0

  const isFresh = (at: number): boolean => clock.monotonic() - at <= FRESH_FOR

  function note(record: WebsiteRecord, at: number): void {
    if ((reads.get(record.id)?.at ?? -Infinity) > at) return
    // Kept in the order of their times, but for a few, so that those which are over are in front.
    reads.delete(record.id)
    reads.set(record.id, { record, at })
  }

  function forgetOld(): void {
    for (const [id, { at }] of reads) {
      if (isFresh(at)) break
      reads.delete(id)
    }
  }

  async function noted<T>(ask: () => Promise<Outcome<T>>, found: (value: T) => readonly WebsiteRecord[]) {
    const at = clock.monotonic()
    const outcome = await ask()
    forgetOld()
    if (outcome.outcome === 'applied') for (const record of found(outcome.value)) note(record, at)
    return outcome
  }

  function ofPage({ websites }: { websites: WebsiteRecord[] }): WebsiteRecord[] {
    listed = listed.slice(taken)
    taken = 0
    for (const { id } of websites) listed.push(id)
    return websites
  }

  const ofWrite = (record: WebsiteRecord | null): WebsiteRecord[] => (record === null ? [] : [record])

  function of(id: string): WebsiteRecord | null {
    const read = reads.get(id)
    return read !== undefined && isFresh(read.at) ? read.record : null
  }

  return {
    noting: (service) => ({
      list: (query) => noted(() => service.list(query), ofPage),
      listNext: (next) => noted(() => service.listNext(next), ofPage),
      get: (id) =>
        noted(
          () => service.get(id),
          (record) => [record],
        ),
      create: (draft) => noted(() => service.create(draft), ofWrite),
      update: (id, changes) => noted(() => service.update(id, changes), ofWrite),
      async delete(id) {
        const outcome = await service.delete(id)
        reads.delete(id)
        return outcome
      },
      account: () => service.account(),
    }),
    of,
    takeListed() {
      for (;;) {
        const id = listed[taken]
        if (id === undefined) return null
        taken += 1
        if (of(id) !== null) return id
      }
    },
  }
}
