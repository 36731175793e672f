import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findByDomain } from '../../../src/main/outbox/remote/lookup.ts'
import { MAX_WEBSITES } from '../../../src/shared/website.ts'
import { fakeClock } from '../outbox/clock.ts'
import { codeOf, must, startConnection } from '../outbox/rig.ts'
import { client, listening } from '../service/host.ts'

/** Number of websites on a page of the host. Pages of a hundred would take too long because of the rate limit. */
const PAGE = 50_000

/** Starts a host that lists `websites` websites, from the one with the number `first` on. */
async function startLargeHost(websites: number) {
  const host = { first: 1, lists: 0 }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://host')
    if (url.pathname.endsWith('/account')) return void response.end('{"id":1,"name":"Acme"}')
    host.lists += 1
    const start = (Number(url.searchParams.get('page') ?? 1) - 1) * PAGE
    const length = Math.min(PAGE, websites - start)
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

/** Time limit in milliseconds, as hundreds of thousands of rows are written. */
const LONG = 180_000

describe('a host that returns new websites without end', () => {
  test(
    'is given up with an error; what was read stays, and later runs add no more',
    async () => {
      const { app, host } = await connect(Infinity)
      expect(codeOf(await app.refresh.run())).toBe('endless-list')
      expect(app.refresh.state().error?.code).toBe('endless-list')
      const read = app.view.total()
      expect(read).toBeGreaterThanOrEqual(MAX_WEBSITES)
      expect(read).toBeLessThanOrEqual(MAX_WEBSITES + PAGE)
      host.first = 10 ** 9
      host.lists = 0
      expect(codeOf(await app.refresh.run())).toBe('endless-list')
      expect(host.lists).toBeLessThanOrEqual(2)
      expect(app.view.total()).toBe(read)
    },
    LONG,
  )

  test(
    'doesn’t say whether a domain is taken: the search for the domain is given up with an error',
    async () => {
      const { service } = await connect(Infinity)
      const found = await findByDomain(service, 'wanted.example')
      expect(found).toMatchObject({ found: 'unreadable', error: { code: 'endless-list' } })
    },
    LONG,
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
  LONG,
)
