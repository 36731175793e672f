import { describe, expect, test } from 'vitest'
import { always, startHost } from './host.ts'

const refusal = { message: 'Unauthenticated.' }

describe('checking an address', () => {
  test('sends one request, without a key', async () => {
    const { service, received } = await startHost(always(401, refusal))
    expect(await service.ping()).toEqual({ ok: true, value: { date: expect.any(Number) } })
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({ method: 'GET', url: '/api/v1/websites?per_page=10', body: '' })
    expect(received[0]?.headers).not.toHaveProperty('authorization')
    expect(received[0]?.headers['accept']).toBe('application/json')
  })

  test.each([
    ['it rejects a request without a key', 401, refusal],
    ['it forbids the request', 403, { message: 'Forbidden.' }],
    ['it limits requests', 429, { message: 'Too Many Attempts.' }],
  ])('finds the service if %s', async (_name, status, body) => {
    const { service } = await startHost(always(status, body))
    expect(await service.ping()).toMatchObject({ ok: true })
  })

  test.each([
    ['not-the-service', 'a page', 200, '<h1>Welcome</h1>'],
    ['not-the-service', 'a list for everybody', 200, { data: [] }],
    ['not-the-service', 'a page that asks to sign in', 401, '<h1>Sign in</h1>'],
    ['not-found', 'another program’s answer', 404, { message: 'Not found.' }],
    ['redirected', 'a redirect', 302, ''],
    ['unavailable', 'a gateway with nothing behind it', 502, '<h1>Bad gateway</h1>'],
  ])('reports %s if the answer is %s', async (code, _name, status, body) => {
    const { service } = await startHost(always(status, body, { Location: '/login' }))
    expect(await service.ping()).toMatchObject({ ok: false, error: { code, status } })
  })

  test('reports an error if nothing answers', async () => {
    const { service } = await startHost((request) => request.socket.destroy())
    expect(await service.ping()).toMatchObject({ ok: false, error: { code: 'interrupted' } })
  })
})
