import { setImmediate as othersTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { client } from './host.ts'
import { silentServer } from './proxies.ts'

// For the whole file, because undici keeps using the first timer that it created.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterAll(() => void vi.useRealTimers())

test.each([
  ['a request without an answer after 30 seconds', 'http', 29_900, 30_100, 'inDoubt', 'timeout'],
  ['a connection that is not established after 10 seconds', 'https', 9000, 12_000, 'notApplied', 'unreachable'],
] as const)('gives up %s', async (_what, scheme, before, after, outcome, code) => {
  const silent = await silentServer()
  const service = client({ address: `${scheme}://127.0.0.1:${String(silent.port)}` })
  const settled = vi.fn()
  const pending = service.update('7', { email: true }).finally(settled)
  while (silent.bytes() === '') await othersTurn()
  await vi.advanceTimersByTimeAsync(before)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(after - before)
  await expect(pending).resolves.toMatchObject({ outcome, error: { code } })
})
