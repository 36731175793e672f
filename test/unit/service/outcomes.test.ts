import { describe, expect, test } from 'vitest'
import type { Service } from '../../../src/main/service/port.ts'
import { draft } from '../draft.ts'
import { always, HTML, startHost } from './host.ts'

const refusal = { message: 'No.', status: 400 }
const record = { id: 7, domain: 'a.example' }

describe('answers', () => {
  test.each([
    [400, 'notApplied', 'refused'],
    [401, 'notApplied', 'unauthenticated'],
    [403, 'notApplied', 'forbidden'],
    [404, 'notApplied', 'not-found'],
    [405, 'notApplied', 'refused'],
    [408, 'inDoubt', 'timeout'],
    [421, 'notApplied', 'refused'],
    [422, 'notApplied', 'invalid'],
    [423, 'inDoubt', 'refused'],
    [429, 'notApplied', 'rate-limited'],
    [451, 'inDoubt', 'refused'],
    [500, 'inDoubt', 'unavailable'],
    [503, 'inDoubt', 'unavailable'],
  ])('reads status %i with an error message of the service as outcome %s, error %s', async (status, outcome, code) => {
    const { service, received } = await startHost(always(status, refusal))
    const error = { code, message: 'No.', status }
    await expect(service.update('7', { email: true })).resolves.toMatchObject({ outcome, error })
    expect(received).toHaveLength(1)
  })

  test.each([
    [400, 'inDoubt', 'not-the-service'],
    [401, 'inDoubt', 'not-the-service'],
    [403, 'inDoubt', 'not-the-service'],
    [422, 'inDoubt', 'not-the-service'],
    [429, 'notApplied', 'rate-limited'],
    [503, 'inDoubt', 'unavailable'],
    [200, 'inDoubt', 'not-the-service'],
  ])('reads status %i with a page of another server as outcome %s, error %s', async (status, outcome, code) => {
    const { service } = await startHost(always(status, HTML, { 'Content-Type': 'text/html' }))
    const error = { code, message: '', status }
    await expect(service.delete('7')).resolves.toMatchObject({ outcome, error })
  })

  test.each([[{}], [[]], ['null'], ['"Not found"'], [{ status: 404 }]])(
    'does not take a 404 with %j for an answer of the service',
    async (body) => {
      const { service } = await startHost(always(404, body))
      await expect(service.get('7')).resolves.toMatchObject({ outcome: 'inDoubt', error: { code: 'not-the-service' } })
    },
  )

  test('does not accept the answer to a delete if its id is an object that can’t become text', async () => {
    const { service } = await startHost(always(200, { deleted: true, id: { toString: 0 } }))
    const error = { code: 'not-the-service' }
    await expect(service.delete('7')).resolves.toMatchObject({ outcome: 'inDoubt', error })
  })

  test.each([301, 302, 303, 307, 308])('does not follow a %i, and sends the key nowhere else', async (status) => {
    const elsewhere = await startHost(always(200, { data: [] }))
    const { service } = await startHost(always(status, '', { Location: `${elsewhere.origin}/api/v1/websites` }))
    const error = { code: 'redirected', message: '', status }
    await expect(service.list({})).resolves.toMatchObject({ outcome: 'inDoubt', error })
    await expect(service.update('7', { email: true })).resolves.toMatchObject({ outcome: 'inDoubt', error })
    expect(elsewhere.received).toEqual([])
  })

  test('does not follow a redirect to the same host, another path or a sign-in page', async () => {
    for (const Location of ['/api/v1/elsewhere', '/login', '?again=1']) {
      const { service, received } = await startHost(always(302, '<html>', { Location }))
      await expect(service.list({})).resolves.toMatchObject({ error: { code: 'redirected' } })
      await expect(service.delete('7')).resolves.toMatchObject({ outcome: 'inDoubt', error: { code: 'redirected' } })
      expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
        'GET /api/v1/websites',
        'DELETE /api/v1/websites/7',
      ])
    }
  })

  test.each([500, 503, 408, 421, 429, 401])('does not repeat a request after %i', async (status) => {
    const { service, received } = await startHost(always(status, refusal))
    await service.get('7')
    await service.update('7', { email: true })
    expect(received.map(({ method }) => method)).toEqual(['GET', 'PUT'])
  })

  test.each([
    ['get', (service: Service) => service.get('7')],
    ['create', (service: Service) => service.create(draft('a.example'))],
    ['update', (service: Service) => service.update('7', { email: true })],
    ['delete', (service: Service) => service.delete('7')],
  ])('sends a %s once when its connection breaks, whether new or reused', async (_name, ask) => {
    const { service, received } = await startHost((request, response) => {
      if (received.length === 2) always(200, record)(request, response)
      else request.socket.destroy()
    })
    const lost = { outcome: 'inDoubt', error: { code: 'interrupted' } }
    await expect(ask(service)).resolves.toMatchObject(lost)
    await service.get('7')
    await expect(ask(service)).resolves.toMatchObject(lost)
    expect(received).toHaveLength(3)
  })
})

describe('texts of an error', () => {
  test.each([
    [
      'message as fields',
      { message: { domain: ['Taken.', 'Too long.'], privacy: 'Odd.' }, status: 422 },
      { message: '', fields: { domain: ['Taken.', 'Too long.'], privacy: ['Odd.'] } },
    ],
    [
      'message and errors',
      { message: 'The given data was invalid.', errors: { domain: ['Taken.'] } },
      { message: 'The given data was invalid.', fields: { domain: ['Taken.'] } },
    ],
    ['errors alone', { errors: { domain: ['Taken.'] } }, { message: '', fields: { domain: ['Taken.'] } }],
    ['message as text', { message: 'No.' }, { message: 'No.' }],
    ['error as text', { error: 'No.' }, { message: 'No.' }],
  ])('reads the texts of an error from %s', async (_name, body, expected) => {
    const { service } = await startHost(always(422, body))
    const answer = await service.update('7', { email: true })
    expect(answer).toMatchObject({ outcome: 'notApplied', error: { code: 'invalid', status: 422 } })
    expect(answer.outcome === 'notApplied' && { message: answer.error.message, fields: answer.error.fields }).toEqual({
      fields: undefined,
      ...expected,
    })
  })

  test.each([
    ['in one text', { message: 'x'.repeat(100_000) }],
    ['in many texts', { message: Array.from({ length: 1000 }, () => 'x'.repeat(100)) }],
    ['at a field', { message: { domain: Array.from({ length: 1000 }, () => 'x'.repeat(100)) } }],
    ['as the name of a field', { message: { ['x'.repeat(100_000)]: ['No.'] } }],
  ])('cuts oversized text %s', async (_where, body) => {
    const { service } = await startHost(always(422, body))
    const answer = await service.get('7')
    expect(answer).toMatchObject({ outcome: 'notApplied', error: { code: 'invalid' } })
    expect(JSON.stringify(answer).length).toBeLessThan(10_000)
  })
})

describe('the headers of an answer', () => {
  const date = 'Sat, 21 Nov 2020 10:00:00 GMT'
  test.each([
    ['seconds', { 'Retry-After': '17' }, 17],
    ['a date, by the clock of the service', { Date: date, 'Retry-After': 'Sat, 21 Nov 2020 10:01:30 GMT' }, 90],
    ['a day, which is cut to an hour', { 'Retry-After': '86400' }, 3600],
    ['a thousand years', { 'Retry-After': '31557600000' }, 3600],
    ['a date next year', { Date: date, 'Retry-After': 'Sun, 21 Nov 2021 10:00:00 GMT' }, 3600],
    ['a past date', { Date: date, 'Retry-After': 'Sat, 21 Nov 2020 09:00:00 GMT' }, 0],
    ['nonsense', { 'Retry-After': '-5' }, undefined],
    ['nothing', {}, undefined],
  ])('reads a Retry-After of %s', async (_name, headers, seconds) => {
    const { service } = await startHost(
      always(429, { message: 'Too Many Attempts.' }, headers as Record<string, string>),
    )
    const answer = await service.get('7')
    expect(answer.outcome === 'notApplied' && answer.error.retryAfter).toBe(seconds)
  })

  test('reads a Retry-After also from a 503', async () => {
    const { service } = await startHost(always(503, HTML, { 'Retry-After': '120' }))
    await expect(service.get('7')).resolves.toMatchObject({ error: { code: 'unavailable', retryAfter: 120 } })
  })

  test('reads the clock and the rate limit of the service, also from a successful answer', async () => {
    const headers = { Date: date, 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59' }
    const { service } = await startHost(always(200, record, headers))
    const meta = { date: Date.parse(date), limit: 60, remaining: 59 }
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'applied', meta })
  })
})

describe('an answer that does not match the request', () => {
  const inDoubt = { outcome: 'inDoubt', error: { code: 'not-the-service', status: 200 } }

  test.each([
    ['another website', record],
    ['no id', { domain: 'a.example' }],
    ['a list', { data: [record] }],
    ['JSON of something else', { status: 'ok' }],
    ['half of the JSON', '{"data":{"id":8,"dom'],
  ])('get and update reject %s', async (_name, body) => {
    const { service } = await startHost(always(200, body))
    await expect(service.get('8')).resolves.toMatchObject(inDoubt)
    await expect(service.update('8', { email: true })).resolves.toMatchObject(inDoubt)
  })

  test.each(['', '.', '..', '\ud800'])(
    'list rejects the id %j, which would change the path of a request',
    async (id) => {
      const { service } = await startHost(always(200, [record, { id, domain: 'b.example' }]))
      await expect(service.list({})).resolves.toMatchObject(inDoubt)
    },
  )

  test('get, list and account reject an empty body', async () => {
    const { service } = await startHost(always(200, ''))
    await expect(service.get('7')).resolves.toMatchObject(inDoubt)
    await expect(service.list({})).resolves.toMatchObject(inDoubt)
    await expect(service.account()).resolves.toMatchObject(inDoubt)
  })

  test.each([
    [{ id: 8, object: 'website', deleted: true }],
    [{ id: 7, object: 'website', deleted: false }],
    [{ status: 'ok' }],
    [[]],
  ])('delete rejects %j', async (body) => {
    const { service } = await startHost(always(200, body))
    await expect(service.delete('7')).resolves.toMatchObject(inDoubt)
  })

  test.each([[{ data: 'none' }], [{ data: [record, { id: 8 }] }], [{ websites: [] }], ['7']])(
    'list rejects %j',
    async (body) => {
      const { service } = await startHost(always(200, body))
      await expect(service.list({})).resolves.toMatchObject(inDoubt)
    },
  )

  test('account rejects JSON without id, name and email', async () => {
    const { service } = await startHost(always(200, { status: 200, data: {} }))
    await expect(service.account()).resolves.toMatchObject(inDoubt)
  })

  test('create rejects a website of another domain', async () => {
    const { service } = await startHost(always(200, { data: record }))
    await expect(service.create(draft('b.example'))).resolves.toMatchObject(inDoubt)
    await expect(service.create(draft('https://www.A.example/'))).resolves.toMatchObject({
      outcome: 'applied',
      value: { id: '7' },
    })
  })
})
