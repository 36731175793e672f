import { describe, expect, test } from 'vitest'
import { startSampleService } from '../../../src/main/sample/service.ts'
import type { Service } from '../../../src/main/service/port.ts'
import type { ListQuery, WebsiteRecord } from '../../../src/shared/website.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { always, client, startHost } from './host.ts'

const query = { sort_by: 'id', sort: 'asc', per_page: 100 } as const

/** Returns the websites of all pages. Throws if there are more than `most` pages. */
async function readAll(service: Service, query: Partial<ListQuery>, most = 2000): Promise<WebsiteRecord[]> {
  const websites: WebsiteRecord[] = []
  let answer = await service.list(query)
  for (let pages = 1; ; pages++) {
    if (answer.outcome !== 'applied') throw new Error(answer.error.code)
    websites.push(...answer.value.websites)
    if (answer.value.next === null) return websites
    if (pages === most) throw new Error('no end')
    answer = await service.listNext(answer.value.next)
  }
}

/** Starts a host with `count` websites. `wrap` converts a page to the host's format. */
function pagedHost(count: number, perPage: number, wrap: (data: object[], page: number, last: number) => unknown) {
  const last = Math.ceil(count / perPage)
  return startHost((request, response) => {
    const page = Number(new URL(request.url ?? '', 'http://host').searchParams.get('page') ?? 1)
    const ids = Array.from({ length: count }, (_, index) => index + 1).slice((page - 1) * perPage, page * perPage)
    const data = ids.map((id) => ({ id, domain: `w${String(id)}.example` }))
    always(200, wrap(data, page, last))(request, response)
  })
}

describe('paging', () => {
  const meta = (page: number, last: number) => ({ current_page: page, last_page: last, total: 25 })
  const link = (page: number, last: number, base: string) => ({
    next: page < last ? `${base}?per_page=10&page=${String(page + 1)}` : null,
  })

  test.each<[string, (data: object[], page: number, last: number) => unknown]>([
    [
      'links and numbers',
      (data, page, last) => ({ data, links: link(page, last, 'http://h/x'), meta: meta(page, last) }),
    ],
    ['links alone', (data, page, last) => ({ data, links: link(page, last, '/api/v1/websites') })],
    ['numbers alone', (data, page, last) => ({ data, meta: meta(page, last) })],
    [
      'numbers as texts',
      (data, page, last) => ({ data, meta: { current_page: String(page), last_page: String(last) } }),
    ],
    ['the number of pages alone', (data, _page, last) => ({ data, meta: { last_page: last } })],
    ['data without links and numbers', (data) => ({ data })],
    ['bare arrays', (data) => data],
    [
      'links without our parameters',
      (data, page, last) => ({ data, links: link(page, last, 'https://other.example/') }),
    ],
  ])('reads all pages of %s', async (_name, wrap) => {
    const { service, received } = await pagedHost(25, 10, wrap)
    const websites = await readAll(service, query)
    expect(websites.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, index) => String(index + 1)))
    // All pages were requested from the same host with the same sort order.
    for (const { url } of received) expect(url).toMatch(/^\/api\/v1\/websites\?sort_by=id&sort=asc&per_page=\d+/)
  })

  test('takes only the query of a link to another host, and sends the key nowhere else', async () => {
    const elsewhere = await startHost(always(200, []))
    const { service, received } = await startHost(
      always(200, {
        data: [{ id: 1, domain: 'a.example' }],
        links: { next: `${elsewhere.origin}/steal?cursor=b%26c#top` },
      }),
    )
    const first = await service.list(query)
    expect(first).toMatchObject({ outcome: 'applied' })
    const next = first.outcome === 'applied' ? first.value.next : null
    await service.listNext(next ?? '')
    expect(received[1]?.url).toBe('/api/v1/websites?sort_by=id&sort=asc&per_page=100&cursor=b%26c')
    expect(elsewhere.received).toEqual([])
  })

  test.each([
    ['an empty page', { data: [], links: { next: '?page=2' }, meta: { current_page: 1, last_page: 9 } }],
    [
      'a page whose link to the next page is null',
      { data: [{ id: 1, domain: 'a.example' }], links: { next: null }, meta: { current_page: 1, last_page: 9 } },
    ],
    [
      'the last page',
      { data: [{ id: 1, domain: 'a.example' }], links: { next: '?page=1' }, meta: { current_page: 9, last_page: 9 } },
    ],
  ])('ends at %s', async (_name, body) => {
    const { service } = await startHost(always(200, body))
    await expect(service.list(query)).resolves.toMatchObject({ outcome: 'applied', value: { next: null } })
  })

  test.each(['total', 'current_page', 'last_page'])(
    'reads a page whose %s is an object without a text',
    async (name) => {
      const body = { data: [{ id: 1, domain: 'a.example' }], meta: { [name]: { toString: 0 } } }
      const { service } = await startHost(always(200, body))
      await expect(service.list(query)).resolves.toMatchObject({
        outcome: 'applied',
        value: { websites: [{ id: '1' }] },
      })
    },
  )

  test('does not end at a short page', async () => {
    const { service } = await startHost(always(200, [{ id: 1, domain: 'a.example' }]))
    const next = 'sort_by=id&sort=asc&per_page=100&page=2'
    await expect(service.list(query)).resolves.toMatchObject({ outcome: 'applied', value: { next } })
  })
})

test('reads ten thousand websites of the sample service, each once', async () => {
  const sample = await startSampleService({ websites: 10_000, rate: 0 })
  try {
    const service = client({ address: sample.address, key: () => new Secret(sample.apiKey) })
    const websites = await readAll(service, query)
    expect(websites.map(({ id }) => id)).toEqual(sample.store.all().map(({ id }) => String(id)))
    const some = await readAll(service, { search: 'SHOP.', sort_by: 'domain', sort: 'desc', per_page: 25 })
    const expected = sample.store.sortedByDomain().filter(({ domain }) => domain.includes('shop.'))
    expect(some.map(({ domain }) => domain)).toEqual(expected.map(({ domain }) => domain).reverse())
    expect(some.length).toBeGreaterThan(25)
  } finally {
    await sample.close()
  }
})
