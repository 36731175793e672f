import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findByDomain } from '../../../src/main/outbox/remote/lookup.ts'
import { MAX_WEBSITES } from '../../../src/shared/website.ts'
import { fakeClock } from '../outbox/clock.ts'
import { codeOf, must, startConnection } from '../outbox/rig.ts'
import { client, listening } from '../service/host.ts'

/** Number of websites on a page. Smaller pages would take too long because of the rate limit. */
const PAGE_SIZE = 50_000

/** Starts a host with `websites` websites. `first`: the number of the first one in the list. */
async function startLargeHost(websites: number) {
  const host = { first: 1, lists: 0 }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://host')
    if (url.pathname.endsWith('/account')) return void response.end('{"id":1,"name":"Acme"}')
    host.lists += 1
    const start = (Number(url.searchParams.get('page') ?? 1) - 1) * PAGE_SIZE
    const length = Math.min(PAGE_SIZE, websites - start)
    const ids = Array.from({ length }, (_, n) => host.first + start + n)
    response.end(JSON.stringify(ids.map((id) => ({ id, domain: `w${String(id)}.example` }))))
  })
  const service = client({ address: `http://127.0.0.1:${String(await listening(server))}` })
  return { host, service }
}

async function connect(websites: number) {
  const { host, service } = await startLargeHost(websites)
  const app = startConnection({ service, clock: fakeClock() })
  onTestFinished(() => app.close())
  return { app, host, service }
}

const TIME_LIMIT_MS = 180_000

describe('with a host that returns new websites without end', () => {
  test(
    'a refresh is given up with an error; what was read stays, and later refreshes add no more',
    async () => {
      const { app, host } = await connect(Infinity)
      expect(codeOf(await app.refresh.run())).toBe('endless-list')
      expect(app.refresh.state().error?.code).toBe('endless-list')
      const read = app.view.total()
      expect(read).toBeGreaterThanOrEqual(MAX_WEBSITES)
      expect(read).toBeLessThanOrEqual(MAX_WEBSITES + PAGE_SIZE)
      host.first = 10 ** 9
      host.lists = 0
      expect(codeOf(await app.refresh.run())).toBe('endless-list')
      expect(host.lists).toBeLessThanOrEqual(2)
      expect(app.view.total()).toBe(read)
    },
    TIME_LIMIT_MS,
  )

  test(
    'the search for a domain is given up with an error, and does not say whether the domain is taken',
    async () => {
      const { service } = await connect(Infinity)
      const found = await findByDomain(service, 'wanted.example')
      expect(found).toMatchObject({ found: 'unreadable', error: { code: 'endless-list' } })
    },
    TIME_LIMIT_MS,
  )
})

test(
  'reads a hundred thousand websites as the whole list',
  async () => {
    const { app } = await connect(100_000)
    must(await app.refresh.run())
    expect(app.view.total()).toBe(100_000)
    expect(app.refresh.state()).toMatchObject({ read: 100_000, error: null })
  },
  TIME_LIMIT_MS,
)
