import { describe, expect, test } from 'vitest'
import { draft as draftOf } from '../draft.ts'
import { always, client, KEY, startHost } from './host.ts'

const record = { id: 7, domain: 'kestrel-press.example', privacy: 1 }
const draft = draftOf('kestrel-press.example')

/** All headers of a read, except those that HTTP itself requires. */
const readHeaders = { accept: 'application/json', authorization: `Bearer ${KEY}` }
const writeHeaders = { ...readHeaders, 'content-type': 'application/x-www-form-urlencoded' }

describe('requests', () => {
  test('list sends every given parameter', async () => {
    const { service, received } = await startHost(always(200, { data: [] }))
    await service.list({ search: 'a b&c=ü', search_by: 'domain', sort_by: 'domain', sort: 'asc', per_page: 100 })
    expect(received).toMatchObject([
      {
        method: 'GET',
        url: '/api/v1/websites?search=a+b%26c%3D%C3%BC&search_by=domain&sort_by=domain&sort=asc&per_page=100',
        headers: readHeaders,
        body: '',
      },
    ])
    expect(received[0]?.headers).not.toHaveProperty('content-type')
  })

  test('list sends no parameter that was not given', async () => {
    const { service, received } = await startHost(always(200, []))
    await service.list({})
    await service.list({ per_page: 25 })
    expect(received.map(({ url }) => url)).toEqual(['/api/v1/websites', '/api/v1/websites?per_page=25'])
  })

  test('get and account send no body', async () => {
    const { service, received } = await startHost(always(200, record))
    await service.get('7')
    await service.account()
    expect(received).toMatchObject([
      { method: 'GET', url: '/api/v1/websites/7', headers: readHeaders, body: '' },
      { method: 'GET', url: '/api/v1/account', headers: readHeaders, body: '' },
    ])
  })

  test('create sends the domain, the privacy and both switches, even if nothing else was filled in', async () => {
    const { service, received } = await startHost(always(201, record))
    await service.create(draft)
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/api/v1/websites',
        headers: writeHeaders,
        body: 'domain=kestrel-press.example&privacy=1&email=0&exclude_bots=1',
      },
    ])
  })

  test('create sends every field, with one trimmed list entry a line', async () => {
    const { service, received } = await startHost(always(201, record))
    await service.create({
      domain: 'kestrel-press.example',
      privacy: 2,
      password: 'a&b=c ü+',
      email: true,
      exclude_bots: false,
      exclude_ips: [' 203.0.113.7', '', '2001:db8::/48 '],
      exclude_params: ['utm_source', ' & '],
    })
    expect(received[0]?.body).toBe(
      'domain=kestrel-press.example&privacy=2&password=a%26b%3Dc+%C3%BC%2B&email=1&exclude_bots=0' +
        '&exclude_ips=203.0.113.7%0A2001%3Adb8%3A%3A%2F48&exclude_params=utm_source%0A%26',
    )
  })

  test('create does not send a password that was typed before another privacy was chosen', async () => {
    const { service, received } = await startHost(always(201, record))
    await service.create({ ...draft, privacy: 0, password: 'left over' })
    expect(received[0]?.body).toBe('domain=kestrel-press.example&privacy=0&email=0&exclude_bots=1')
  })

  test.each([
    [{ privacy: 0 as const }, 'privacy=0'],
    [{ password: 'pass word' }, 'password=pass+word'],
    [{ email: true }, 'email=1'],
    [{ exclude_bots: false }, 'exclude_bots=0'],
    [{ exclude_ips: ['10.0.0.1', '10.0.0.2'] }, 'exclude_ips=10.0.0.1%0A10.0.0.2'],
    [{ exclude_params: [] }, 'exclude_params='],
    [{ privacy: 2 as const, password: 'p', email: false }, 'privacy=2&password=p&email=0'],
  ])('update sends only the given fields: %j', async (changes, body) => {
    const { service, received } = await startHost(always(200, record))
    await service.update('7', changes)
    expect(received).toMatchObject([{ method: 'PUT', url: '/api/v1/websites/7', headers: writeHeaders, body }])
  })

  test('update never sends a domain or an unknown field', async () => {
    const { service, received } = await startHost(always(200, record))
    const website = { id: '7', favorite: true, updated_at: '2026-11-12 09:14:05', extra: { team: 3 } }
    const whole = { ...website, ...draft, password: undefined }
    await service.update('7', whole)
    expect(received[0]?.body).toBe('privacy=1&email=0&exclude_bots=1&exclude_ips=&exclude_params=')
  })

  test('delete sends no body and no content type', async () => {
    const { service, received } = await startHost(always(200, { id: 7, deleted: true }))
    await service.delete('7')
    expect(received).toMatchObject([{ method: 'DELETE', url: '/api/v1/websites/7', headers: readHeaders, body: '' }])
    expect(received[0]?.headers).not.toHaveProperty('content-type')
    expect(received[0]?.headers['transfer-encoding']).toBeUndefined()
  })

  test.each([
    ['a/b?c#d', '/api/v1/websites/a%2Fb%3Fc%23d'],
    ['../account', '/api/v1/websites/..%2Faccount'],
    ['100 % ü', '/api/v1/websites/100%20%25%20%C3%BC'],
    ['%2e%2e', '/api/v1/websites/%252e%252e'],
    ['7\r\nX-More: 1\u0000', '/api/v1/websites/7%0D%0AX-More%3A%201%00'],
    ['0b1c-uuid', '/api/v1/websites/0b1c-uuid'],
  ])('encodes the id %s so that it stays one segment of the path', async (id, url) => {
    const { service, received } = await startHost(always(200, { id, domain: 'a.example' }))
    await expect(service.get(id)).resolves.toMatchObject({ outcome: 'applied', value: { id } })
    expect(received[0]?.url).toBe(url)
  })

  test('keeps the path of the base URL', async () => {
    const { origin, received } = await startHost(always(200, []))
    await client({ address: `${origin}/analytics` }).list({})
    expect(received[0]?.url).toBe('/analytics/api/v1/websites')
  })

  test('sends nothing without a key', async () => {
    const { origin, received } = await startHost(always(200, []))
    await expect(client({ address: origin, key: () => null }).list({})).resolves.toEqual({
      outcome: 'notApplied',
      error: { code: 'key-missing', message: '' },
      meta: {},
    })
    expect(received).toEqual([])
  })

  test('sends its user agent, the accepted types, and no other header', async () => {
    const { service, received, origin } = await startHost(always(200, []))
    await service.list({})
    expect(received[0]?.headers).toEqual({
      ...readHeaders,
      'accept-encoding': 'gzip',
      connection: 'keep-alive',
      host: new URL(origin).host,
      'user-agent': 'Siteward',
      // Headers that `fetch` always sends.
      'accept-language': '*',
      'sec-fetch-mode': 'cors',
    })
  })
})
