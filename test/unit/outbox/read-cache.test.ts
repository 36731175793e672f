import { queryObjects } from 'node:v8'
import { expect, test } from 'vitest'
import { createReadCache } from '../../../src/main/outbox/remote/read-cache.ts'
import type { Service } from '../../../src/main/service/port.ts'
import { fakeClock } from './clock.ts'

/** A record whose instances can be counted after garbage collection. */
class Counted {
  readonly domain = 'a.example'
  readonly extra = {}
  readonly id: string
  constructor(id: string) {
    this.id = id
  }
}
const held = (): number => queryObjects(Counted, { format: 'count' })

test('keeps a read for a minute, and removes it without another read', async () => {
  const clock = fakeClock()
  const readCache = createReadCache(clock)
  const page = () => ({ websites: Array.from({ length: 100 }, (_, n) => new Counted(String(n))), next: null })
  const list = () => Promise.resolve({ outcome: 'applied' as const, value: page(), meta: {} })
  const service = readCache.noting({ list } as unknown as Service)
  await service.list({ sort_by: 'id', sort: 'asc', per_page: 100 })
  await clock.advance(59_000)
  readCache.forgetOld()
  expect([readCache.of('7', 'known')?.id, held()]).toEqual(['7', 100])
  await clock.advance(2_000)
  expect([readCache.of('7', 'known'), held()]).toEqual([null, 100])
  readCache.forgetOld()
  expect(held()).toBe(0)
})
