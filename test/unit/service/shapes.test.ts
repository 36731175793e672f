import { describe, expect, test } from 'vitest'
import { draft } from '../draft.ts'
import { always, startHost } from './host.ts'

const create = draft('a.example')

async function read(record: object) {
  const { service } = await startHost(always(200, record))
  const answer = await service.get('7')
  if (answer.outcome !== 'applied') throw new Error(answer.error.code)
  return answer.value
}

describe('a website', () => {
  const known = {
    id: '7',
    domain: 'a.example',
    privacy: 2,
    email: true,
    password: true,
    exclude_bots: false,
    exclude_ips: ['203.0.113.7', '2001:db8::/48'],
    created_at: '2026-11-12 09:14:05',
    updated_at: '2026-11-12T09:14:05.000000Z',
    extra: {},
  }
  const times = { created_at: known.created_at, updated_at: known.updated_at }

  test.each([
    ['numbers', { privacy: 2, email: 1, password: true, exclude_bots: 0, exclude_ips: '203.0.113.7\n2001:db8::/48' }],
    [
      'texts',
      { privacy: '2', email: '1', password: '1', exclude_bots: '0', exclude_ips: '203.0.113.7\r\n2001:db8::/48\r\n' },
    ],
    [
      'switches',
      { privacy: 2, email: true, password: 1, exclude_bots: false, exclude_ips: ['203.0.113.7', ' 2001:db8::/48'] },
    ],
    [
      'words',
      { privacy: 2, email: 'true', password: 'true', exclude_bots: 'false', exclude_ips: '203.0.113.7\r2001:db8::/48' },
    ],
  ])('is read with fields written as %s', async (_name, fields) => {
    await expect(read({ data: { id: 7, domain: 'a.example', ...fields, ...times }, status: 200 })).resolves.toEqual(
      known,
    )
    await expect(read({ id: '7', domain: 'a.example', ...fields, ...times })).resolves.toEqual(known)
  })

  test('has no value for fields that are missing or null, except that a list that is null is an empty list', async () => {
    const record = { id: 7, domain: 'a.example', privacy: null, email: null, exclude_ips: null, created_at: null }
    await expect(read(record)).resolves.toEqual({ id: '7', domain: 'a.example', exclude_ips: [], extra: {} })
  })

  test('keeps unknown and unreadable fields unchanged', async () => {
    const record = {
      id: 7,
      domain: 'a.example',
      favorite: true,
      tags: ['x'],
      team: { id: 3 },
      privacy: 9,
      email: 'maybe',
    }
    const { privacy, email, ...kept } = await read(record).then(({ extra }) => extra)
    expect({ privacy, email, kept }).toEqual({
      privacy: 9,
      email: 'maybe',
      kept: { favorite: true, tags: ['x'], team: { id: 3 } },
    })
  })

  test('drops a password that a host returns', async () => {
    const website = await read({ id: 7, domain: 'a.example', password: 'correct horse' })
    expect(website.password).toBe(true)
    expect(JSON.stringify(website)).not.toContain('horse')
  })

  test('reads fields named like properties of JavaScript objects', async () => {
    const { service } = await startHost(
      always(200, '{"id":7,"domain":"a.example","__proto__":{"email":true},"constructor":"x","toString":"y"}'),
    )
    const answer = await service.get('7')
    expect(answer).toMatchObject({ outcome: 'applied', value: { extra: { constructor: 'x', toString: 'y' } } })
    const website = answer.outcome === 'applied' ? answer.value : expect.unreachable()
    expect(website.email).toBeUndefined()
    // The sent `__proto__` has not become the object's prototype.
    expect(Object.getPrototypeOf(website.extra)).toBe(Object.prototype)
    expect(website.extra['email']).toBeUndefined()
  })

  test.each([
    ['9007199254740993', '9007199254740993'],
    ['"0192d5f0-6d2c-7c3e-8f00-1a2b3c4d5e6f"', '0192d5f0-6d2c-7c3e-8f00-1a2b3c4d5e6f'],
    ['"7 / ü"', '7 / ü'],
  ])('keeps the id that is written as %s unchanged', async (written, id) => {
    const { service } = await startHost(always(200, `{"id":${written},"domain":"a.example"}`))
    await expect(service.get(id)).resolves.toMatchObject({ outcome: 'applied', value: { id } })
  })
})

describe('the answer to a write', () => {
  test.each([200, 201, 202, 204])('is accepted with status %i and without a body', async (status) => {
    const { service } = await startHost((_request, response) => void response.writeHead(status).end())
    const accepted = { outcome: 'applied', value: null }
    await expect(service.create(create)).resolves.toMatchObject(accepted)
    await expect(service.update('7', { email: true })).resolves.toMatchObject(accepted)
    await expect(service.delete('7')).resolves.toMatchObject(accepted)
  })

  test('is read whether its record is bare or wrapped', async () => {
    for (const body of [
      { data: { id: 7, domain: 'a.example' }, status: 201 },
      { id: '7', domain: 'a.example' },
    ]) {
      const { service } = await startHost(always(201, body))
      await expect(service.create(create)).resolves.toMatchObject({ outcome: 'applied', value: { id: '7' } })
      await expect(service.update('7', { email: true })).resolves.toMatchObject({
        outcome: 'applied',
        value: { id: '7' },
      })
    }
  })

  test('is accepted if it confirms a delete', async () => {
    const { service } = await startHost(always(200, { id: 7, object: 'website', deleted: true, status: 200 }))
    await expect(service.delete('7')).resolves.toMatchObject({ outcome: 'applied', value: null })
  })
})

describe('the account', () => {
  const record = {
    id: 1,
    name: 'Northwind Agency',
    email: 'hello@northwind.example',
    avatar_url: null,
    locale: 'en',
    timezone: 'Europe/Oslo',
    plan: { id: 2, name: 'Agency', features: { websites: '-1', api: true, retention: null }, price: 9 },
    created_at: '2026-11-12 09:14:05',
    team: 'North',
  }
  const account = {
    id: '1',
    name: 'Northwind Agency',
    email: 'hello@northwind.example',
    locale: 'en',
    timezone: 'Europe/Oslo',
    plan: {
      id: '2',
      name: 'Agency',
      features: { websites: -1, api: true, retention: null },
      extra: { price: 9 },
    },
    created_at: '2026-11-12 09:14:05',
    extra: { team: 'North' },
  }

  test.each([
    ['wrapped', { data: record, status: 200 }],
    ['bare', record],
  ])('is read %s', async (_name, body) => {
    const { service } = await startHost(always(200, body))
    await expect(service.account()).resolves.toMatchObject({ outcome: 'applied', value: account })
  })

  test.each([
    ['no plan', null, undefined],
    ['no features, as PHP writes it', { name: 'Free', features: [] }, { name: 'Free', features: {}, extra: {} }],
  ])('is read with %s', async (_name, plan, expected) => {
    const { service } = await startHost(always(200, { data: { ...record, plan } }))
    const answer = await service.account()
    expect(answer.outcome === 'applied' && answer.value.plan).toEqual(expected)
  })
})
