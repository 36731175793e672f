import { queryObjects } from 'node:v8'
import { expect, test } from 'vitest'
import { createReadCache } from '../../../src/main/outbox/remote/read-cache.ts'
import type { Service } from '../../../src/main/service/port.ts'
import type { WebsiteRecord } from '../../../src/shared/website.ts'
import { fakeClock } from './clock.ts'

/** A record whose instances in memory can be counted. */
class Counted {
  readonly domain = 'a.example'
  readonly extra = {}
  readonly id: string
  constructor(id: string) {
    this.id = id
  }
}
const held = (): number => queryObjects(Counted, { format: 'count' })

test('keeps the records of a read for a minute, and then releases their memory without another read', async () => {
  const clock = fakeClock()
  const readCache = createReadCache(clock)
  const page = () => ({ websites: Array.from({ length: 100 }, (_, n) => new Counted(String(n))), next: null })
  const list = () => Promise.resolve({ outcome: 'applied' as const, value: page(), meta: {} })
  const service = readCache.noting({ list } as unknown as Service)
  await service.list({ sort_by: 'id', sort: 'asc', per_page: 100 })
  await clock.advance(59_000)
  readCache.forgetOld()
  expect([readCache.of('7', 'delayed')?.id, held()]).toEqual(['7', 100])
  await clock.advance(2_000)
  expect([readCache.of('7', 'delayed'), held()]).toEqual([null, 100])
  readCache.forgetOld()
  expect(held()).toBe(0)
})

const site = (changes: Partial<WebsiteRecord> = {}): WebsiteRecord => ({
  ...{ id: '1', domain: 'a.example', email: false, extra: {} },
  ...changes,
})

function delayed(kept: WebsiteRecord | null = null) {
  const clock = fakeClock()
  const readCache = createReadCache(clock, () => kept)
  const reads: ((record: WebsiteRecord) => Promise<void>)[] = []
  const ask = (wrap: (record: WebsiteRecord) => unknown) =>
    new Promise((resolve) => {
      reads.push((record) => {
        resolve({ outcome: 'applied', value: wrap(record), meta: {} })
        return clock.advance(0)
      })
    })
  const one = () => ask((record) => record)
  const list = () => ask((record) => ({ websites: [record], next: null }))
  const service = readCache.noting({ get: one, update: one, list } as unknown as Service)
  const answer = (record: WebsiteRecord) => reads.shift()?.(record)
  return { clock, readCache, service, answer }
}

test('the answer to a write counts as a read until two seconds after the request was sent, not after it was answered', async () => {
  const { clock, readCache, service, answer } = delayed()
  void service.update('1', { email: true })
  await clock.advance(1_500)
  await answer(site({ email: true }))
  expect(readCache.of('1', 'single')).toEqual(site({ email: true }))
  void service.update('1', { email: false })
  await clock.advance(2_500)
  await answer(site())
  expect(readCache.of('1', 'single')).toBeNull()
})

test('offers no record after two overlapping reads if the first to be answered may be stale', async () => {
  // Soon after a start, a read that differs from the stored record may be older than the record.
  const { readCache, service, answer } = delayed(site())
  void service.list({ sort_by: 'id', sort: 'asc', per_page: 100 })
  void service.get('1')
  await answer(site({ email: true }))
  await answer(site())
  expect(readCache.of('1', 'single')).toBeNull()
  void service.get('1')
  await answer(site())
  expect(readCache.of('1', 'single')).toEqual(site())
})

test('recognizes a read of the state that our write replaced as stale, even if the service’s clock was set back', async () => {
  const { clock, readCache, service, answer } = delayed()
  const before = site({ updated_at: '2026-01-01T12:00:00Z' })
  const after = site({ email: true, updated_at: '2026-01-01T11:00:00Z' })
  void service.get('1')
  await answer(before)
  void service.update('1', { email: true })
  await answer(after)
  // Even after a read of the new state, the replaced state counts as stale.
  void service.get('1')
  await answer(after)
  expect(readCache.newest(before)).toEqual(after)
  const changed = site({ updated_at: '2026-01-01T11:00:01Z' })
  expect(readCache.newest(changed)).toEqual(changed)
  await clock.advance(10_001)
  expect(readCache.newest(before)).toEqual(before)
})
