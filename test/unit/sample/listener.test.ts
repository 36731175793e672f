import { createServer } from 'node:http'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSampleListener } from '../../../src/main/sample/listener.ts'
import { createSampleStore } from '../../../src/main/sample/store.ts'
import { startSample } from './calls.ts'

describe('the key', () => {
  test.each([
    ['wrong', { Authorization: 'Bearer wrong' }],
    ['missing', { Authorization: '' }],
    ['of another scheme', { Authorization: 'Basic wrong' }],
  ])(
    'if %s, causes a 401 for a client that accepts JSON, and a redirect to the login page for others',
    async (_name, headers) => {
      const { call, address, store } = await startSample()
      const refused = await call('DELETE', '/websites/1', undefined, headers)
      expect(refused).toMatchObject({ status: 401, body: { message: 'Unauthenticated.' } })
      const redirected = await call('DELETE', '/websites/1', undefined, { ...headers, Accept: '*/*' })
      expect(redirected.status).toBe(302)
      expect(redirected.headers.get('location')).toBe(`${address}/login`)
      expect((await fetch(`${address}/login`)).headers.get('content-type')).toBe('text/html')
      expect(store.get(1)).toBeDefined()
    },
  )

  test('is different for each service', async () => {
    const [one, other] = [await startSample(), await startSample()]
    expect(one.apiKey).not.toBe(other.apiKey)
    expect(one.apiKey.length).toBeGreaterThan(30)
  })
})

describe('the throttle', () => {
  /** Starts a service with this rate limit. Its clock moves only when `pass` is called. */
  async function throttled(rate: number) {
    let minute = 0
    const listener = createSampleListener(createSampleStore({ websites: 5 }), {
      key: 'k',
      rate,
      now: () => minute * 60_000,
    })
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/api/v1/account`
    const ask = async () => {
      const response = await fetch(url, { headers: { Accept: 'application/json', Authorization: 'Bearer k' } })
      await response.text()
      const header = (name: string) => response.headers.get(name)
      return {
        status: response.status,
        limit: header('x-ratelimit-limit'),
        remaining: header('x-ratelimit-remaining'),
        wait: header('retry-after'),
      }
    }
    return { ask, pass: (minutes: number) => (minute += minutes) }
  }

  test('allows a number of requests per minute, and says when to try again', async () => {
    const { ask, pass } = await throttled(2)
    expect(await ask()).toEqual({ status: 200, limit: '2', remaining: '1', wait: null })
    pass(0.5)
    expect(await ask()).toEqual({ status: 200, limit: '2', remaining: '0', wait: null })
    expect(await ask()).toEqual({ status: 429, limit: '2', remaining: '0', wait: '30' })
    pass(0.5)
    expect(await ask()).toMatchObject({ status: 200, remaining: '1' })
  })

  test('of 0 limits nothing and sends no rate headers', async () => {
    const { ask } = await throttled(0)
    expect(await ask()).toEqual({ status: 200, limit: null, remaining: null, wait: null })
  })

  test('is sixty requests per minute by default', async () => {
    const { call } = await startSample({ rate: undefined })
    expect((await call('GET', '/account')).headers.get('x-ratelimit-limit')).toBe('60')
  })
})

test('logs the requests, without key and password', async () => {
  const { call, store, apiKey } = await startSample()
  await call('PUT', '/websites/1', { privacy: '2', password: 'hush' })
  await call('GET', '/websites?per_page=25')
  expect(store.requests()).toEqual([
    {
      method: 'PUT',
      path: '/api/v1/websites/1',
      query: '',
      form: { privacy: '2', password: '[redacted]' },
      status: 200,
    },
    { method: 'GET', path: '/api/v1/websites', query: 'per_page=25', form: {}, status: 200 },
  ])
  expect(JSON.stringify(store.requests())).not.toContain(apiKey)
})

test('the log keeps no field of a request without the key', async () => {
  const { call, store } = await startSample()
  const headers = { Authorization: 'Bearer wrong' }
  expect((await call('PUT', '/websites/1', { exclude_ips: '192.0.2.1' }, headers)).status).toBe(401)
  expect((await call('PUT', '/websites/1', { exclude_ips: 'x'.repeat(2 ** 20) }, headers)).status).toBe(401)
  expect(store.requests().map(({ form }) => form)).toEqual([{}, {}])
})

test('refuses a body that is too large, and ignores an aborted request', async () => {
  const { call, address, apiKey, store } = await startSample()
  expect((await call('PUT', '/websites/1', { exclude_ips: 'x'.repeat(2 ** 20) })).status).toBe(413)
  await new Promise<void>((resolve) => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Length': '100' }
    const leaving = request(`${address}/api/v1/websites/1`, { method: 'PUT', headers })
    leaving.on('error', () => resolve())
    leaving.write('email=1', () => leaving.destroy(new Error('gone')))
  })
  expect((await call('GET', '/account')).status).toBe(200)
  expect(store.requests()).toHaveLength(1)
})

test('the sample service can’t be started if its port is taken', async () => {
  const { address } = await startSample()
  await expect(startSample({ port: Number(new URL(address).port) })).rejects.toThrow('EADDRINUSE')
})
