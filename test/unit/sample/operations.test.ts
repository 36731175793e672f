import { describe, expect, test } from 'vitest'
import { passwordMatches } from '../../../src/main/sample/password.ts'
import { startSample } from './calls.ts'

describe('list', () => {
  test('returns the ten newest first, with links and counts', async () => {
    const { call, address } = await startSample()
    const { status, body } = await call('GET', '/websites')
    expect(status).toBe(200)
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([30, 29, 28, 27, 26, 25, 24, 23, 22, 21])
    const url = `${address}/api/v1/websites`
    expect(body.links).toEqual({ first: `${url}?page=1`, last: `${url}?page=3`, prev: null, next: `${url}?page=2` })
    expect(body.meta).toMatchObject({ current_page: 1, last_page: 3, per_page: 10, total: 30, from: 1, to: 10 })
  })

  test('continues at the link of the next page, in the same order', async () => {
    const { call } = await startSample()
    const query = '?sort_by=domain&sort=asc&per_page=25'
    const first = (await call('GET', `/websites${query}`)).body
    const second = (await call('GET', `/websites${new URL(first.links.next).search}`)).body
    expect(second.links.next).toBeNull()
    const domains = [...first.data, ...second.data].map(({ domain }: { domain: string }) => domain)
    expect(domains).toHaveLength(30)
    expect(domains).toEqual([...domains].sort())
  })

  test('searches any part of the domain, ignoring case', async () => {
    const { call, store } = await startSample()
    store.create({ domain: 'findme-now.example' })
    const { body } = await call('GET', '/websites?search=DME-n&search_by=domain')
    expect(body.data.map(({ domain }: { domain: string }) => domain)).toEqual(['findme-now.example'])
  })

  test('returns an empty page past the end', async () => {
    const { call } = await startSample()
    expect((await call('GET', '/websites?page=9')).body).toMatchObject({ data: [], links: { next: null } })
  })

  test.each(['per_page=20', 'sort_by=name', 'sort=up', 'search_by=id'])('refuses %s', async (query) => {
    const { call } = await startSample()
    const name = query.split('=')[0] ?? ''
    expect(await call('GET', `/websites?${query}`)).toMatchObject({
      status: 422,
      body: { message: { [name]: [expect.stringContaining('invalid')] }, status: 422 },
    })
  })
})

describe('create', () => {
  test.each(['https://www.Example-Site.example', 'WWW.example-site.EXAMPLE', 'example-site.example'])(
    'stores %s as example-site.example, with defaults',
    async (domain) => {
      const { call, store } = await startSample()
      const { status, body } = await call('POST', '/websites', { domain })
      expect(status).toBe(201)
      expect(body.data).toMatchObject({ id: 31, domain: 'example-site.example', privacy: 1, email: 0, exclude_bots: 1 })
      expect(store.byDomain('example-site.example')).toMatchObject({ id: 31, password: null, exclude_ips: null })
    },
  )

  test.each([
    ['', 'required'],
    ['no domain', 'valid'],
    ['localhost', 'valid'],
    ['-a.example', 'valid'],
    [`${'a.'.repeat(130)}example`, '255'],
    ['taken.example', 'already been taken'],
    ['harbour-bakery.example', 'already been taken'],
  ])('refuses the domain "%s": %s', async (domain, text) => {
    const { call, store } = await startSample()
    const { status, body } = await call('POST', '/websites', { domain })
    expect({ status, text: body.message.domain[0] }).toEqual({ status: 422, text: expect.stringContaining(text) })
    expect(store.all()).toHaveLength(30)
  })

  test('accepts an IPv4 address as a domain', async () => {
    const { call } = await startSample()
    expect((await call('POST', '/websites', { domain: '192.0.2.7' })).status).toBe(201)
  })

  test.each([
    [{ privacy: '3' }, 'privacy'],
    [{ privacy: '' }, 'privacy'],
    [{ privacy: '2' }, 'password'],
    [{ privacy: '2', password: '' }, 'password'],
    [{ privacy: '2', password: 'x'.repeat(129) }, 'password'],
    [{ email: 'yes' }, 'email'],
    [{ exclude_bots: '2' }, 'exclude_bots'],
  ])('refuses %j', async (form, field) => {
    const { call, store } = await startSample()
    const { status, body } = await call('POST', '/websites', { domain: 'new.example', ...form })
    expect({ status, fields: Object.keys(body.message) }).toEqual({ status: 422, fields: [field] })
    expect(store.byDomain('new.example')).toBeUndefined()
  })

  test('refuses websites over the limit of the plan', async () => {
    const { call } = await startSample({ websiteLimit: 31 })
    expect((await call('POST', '/websites', { domain: 'one.example' })).status).toBe(201)
    const { status, body } = await call('POST', '/websites', { domain: 'two.example' })
    expect({ status, domain: body.message.domain }).toEqual({ status: 422, domain: ['You added too many websites.'] })
  })

  test('treats a body that is not sent as a form as empty', async () => {
    const { address, apiKey } = await startSample()
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ domain: 'new.example' })
    expect((await fetch(`${address}/api/v1/websites`, { method: 'POST', headers, body })).status).toBe(422)
  })
})

describe('write-only fields', () => {
  test('stores a password only as a hash, and never returns it', async () => {
    const { call, store } = await startSample()
    const { body } = await call('POST', '/websites', { domain: 'new.example', privacy: '2', password: 'hush hush' })
    expect(body.data.password).toBe(true)
    expect(passwordMatches('hush hush', store.get(31)?.password ?? null)).toBe(true)
    expect(passwordMatches('hush', store.get(31)?.password ?? null)).toBe(false)
    expect(JSON.stringify([body, store.all(), store.requests()])).not.toContain('hush')
  })

  test('stores excluded parameters, and never returns them', async () => {
    const { call, store } = await startSample()
    const { body } = await call('PUT', '/websites/1', { exclude_params: 'utm_source\n&' })
    expect(body.data).not.toHaveProperty('exclude_params')
    expect(store.get(1)?.exclude_params).toBe('utm_source\n&')
  })
})

describe('update', () => {
  test('changes only the fields that are sent, and updated_at each time', async () => {
    const { call, store } = await startSample()
    const before = store.get(7)
    await call('PUT', '/websites/7', { exclude_ips: '203.0.113.9', exclude_bots: '0' })
    const once = store.get(7)
    expect(once).toEqual({ ...before, exclude_ips: '203.0.113.9', exclude_bots: 0, updated_at: once?.updated_at })
    await call('PUT', '/websites/7', { exclude_ips: '' })
    const twice = store.get(7)
    expect(twice?.exclude_ips).toBeNull()
    const times = [before, once, twice].map((website) => Date.parse(website?.updated_at ?? ''))
    expect(times).toEqual([...new Set(times)].sort((one, other) => one - other))
  })

  test('changes nothing for equal values or another domain', async () => {
    const { call, store } = await startSample()
    const before = store.get(7)
    const { status } = await call('PUT', '/websites/7', { privacy: String(before?.privacy), domain: 'other.example' })
    expect({ status, after: store.get(7) }).toEqual({ status: 200, after: before })
  })

  test('keeps the old password while the privacy is "password", and refuses to clear it', async () => {
    const { call, store } = await startSample()
    store.update(7, { privacy: 2, password: 'old' })
    expect((await call('PUT', '/websites/7', { email: '1' })).status).toBe(200)
    expect((await call('PUT', '/websites/7', { password: '' })).status).toBe(422)
    expect(store.get(7)?.password).toBe('old')
    expect((await call('PUT', '/websites/7', { privacy: '1', password: '' })).body.data.password).toBe(false)
  })
})

test('a deleted website stays deleted', async () => {
  const { call, store } = await startSample()
  expect((await call('DELETE', '/websites/7')).body).toEqual({ id: 7, object: 'website', deleted: true, status: 200 })
  expect(store.get(7)).toBeUndefined()
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const { status, body } = await call(method, '/websites/7')
    expect({ status, body }).toEqual({ status: 404, body: { message: 'Resource not found.', status: 404 } })
  }
  store.create({ domain: 'after.example' })
  expect(store.byDomain('after.example')?.id).toBe(31)
})

test('returns the account with its plan', async () => {
  const { call } = await startSample()
  expect((await call('GET', '/account')).body).toMatchObject({
    data: { id: 1, name: 'Northwind Agency', plan: { name: 'Agency', features: { websites: 500 } } },
    status: 200,
  })
})

test.each([
  ['GET', '/websites/abc', 404],
  ['GET', '/nothing', 404],
  ['PATCH', '/websites/1', 405],
  ['DELETE', '/websites', 405],
  ['POST', '/account', 405],
])('answers %s %s with %i', async (method, path, status) => {
  const { call } = await startSample()
  expect((await call(method, path)).status).toBe(status)
})
