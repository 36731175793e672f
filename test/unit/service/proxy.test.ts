import { describe, expect, test } from 'vitest'
import { makeCertificates } from './certificates.ts'
import { draft } from '../draft.ts'
import { always, client, dispatching, HTML, KEY, startHost } from './host.ts'
import { deadPort, silentServer, startProxy, unsent, clientsThrough } from './proxies.ts'

const { authority, credentials, secureHost } = makeCertificates()
const { through, withLogin } = clientsThrough(authority)

const record = { id: 7, domain: 'a.example' }
const applied = { outcome: 'applied', value: { id: '7' } }
const write = { email: true } as const

describe('a request through the system’s proxy', () => {
  test('to a plain service gives the proxy the absolute URL and forwards all headers', async () => {
    const proxy = await startProxy()
    const { origin, received } = await startHost(always(200, record))
    const { service } = through(`${origin}/stats`, proxy.pacResult)
    await expect(service.update('7', write)).resolves.toMatchObject(applied)
    expect(proxy.requests).toMatchObject([{ method: 'PUT', target: `${origin}/stats/api/v1/websites/7` }])
    const headers = { host: origin.slice('http://'.length), authorization: `Bearer ${KEY}` }
    expect(received).toMatchObject([{ url: '/stats/api/v1/websites/7', body: 'email=1', headers }])
  })

  test.each([
    ['plain', undefined],
    ['secure', 'good'],
  ])('to a secure service through a %s proxy tells the proxy only host and port', async (_kind, certificate) => {
    const proxy = await startProxy(certificate === undefined ? {} : { credentials: credentials(certificate) })
    const { address, requests } = await secureHost()
    const { service } = through(address, proxy.pacResult)
    await expect(service.update('7', write)).resolves.toMatchObject(applied)
    await expect(service.get('7')).resolves.toMatchObject(applied)
    await expect(service.get('7')).resolves.toMatchObject(applied)
    await expect(service.create(draft('a.example'))).resolves.toMatchObject(applied)
    expect(requests).toEqual([...Array<string>(3).fill('/api/v1/websites/7'), '/api/v1/websites'])
    // Both reads use the same tunnel.
    expect(proxy.requests.map(({ method, target }) => [method, target])).toEqual(
      Array(3).fill(['CONNECT', address.slice('https://'.length)]),
    )
    expect(JSON.stringify(proxy.requests)).not.toMatch(/authorization|websites|0123456789/)
  })

  test('to a plain service through a secure proxy arrives', async () => {
    const proxy = await startProxy({ credentials: credentials('good') })
    const { origin, received } = await startHost(always(200, record))
    await expect(through(origin, proxy.pacResult).service.get('7')).resolves.toMatchObject(applied)
    expect([proxy.requests.length, received.length]).toEqual([1, 1])
  })

  test('asks the system for the proxy each time, and names only the origin of the service', async () => {
    const { origin } = await startHost(always(200, []))
    const { requested, service } = through(`${origin}/stats`, 'DIRECT')
    await service.list({ search: 'hush' })
    await service.list({})
    await service.create(draft('a.example'))
    expect(requested).toEqual([origin, origin, origin])
  })

  test('goes directly when the system names no proxy', async () => {
    const { origin, received } = await startHost(always(200, record))
    await expect(through(origin, 'DIRECT').service.get('7')).resolves.toMatchObject(applied)
    await expect(through(origin, '').service.get('7')).resolves.toMatchObject(applied)
    expect(received.map(({ url }) => url)).toEqual(Array(2).fill('/api/v1/websites/7'))
  })

  test.each([
    ['PROXY 127.0.0.1:1'],
    ['SOCKS 127.0.0.1:1'],
    ['SOCKS5 127.0.0.1:1'],
    ['PROXY nowhere.invalid:8080'],
    ['WHATEVER'],
  ])('uses the next route after %s fails', async (first) => {
    const { address } = await secureHost()
    const proxy = await startProxy()
    await expect(through(address, `${first}; ${proxy.pacResult}; DIRECT`).service.get('7')).resolves.toMatchObject(
      applied,
    )
    expect(proxy.requests).toHaveLength(1)
    await expect(through(address, `${first};DIRECT`).service.get('7')).resolves.toMatchObject(applied)
  })
})

describe('a request is never sent when the proxy', () => {
  test('is not running', async () => {
    const { address, requests } = await secureHost()
    const { origin, received } = await startHost(always(200, record))
    const dead = `PROXY 127.0.0.1:${String(await deadPort())}`
    for (const service of [through(address, dead).service, through(origin, dead).service]) {
      await expect(service.update('7', write)).resolves.toEqual(unsent('proxy-unreachable'))
    }
    expect([requests, received]).toEqual([[], []])
  })

  test('never answers', async () => {
    const silent = await silentServer()
    const { address } = await secureHost()
    const { service } = through(address, `PROXY 127.0.0.1:${String(silent.port)}`, { connect: 200 })
    await expect(service.update('7', write)).resolves.toEqual(unsent('proxy-unreachable'))
    await expect.poll(silent.open).toBe(0)
    expect(silent.bytes()).not.toMatch(/websites|authorization/i)
  })

  test('is not a proxy, or hangs up', async () => {
    const { address } = await secureHost()
    for (const refusal of ['SSH-2.0-OpenSSH_9.2\r\n', '']) {
      const proxy = await startProxy({ refusal })
      await expect(through(address, proxy.pacResult).service.update('7', write)).resolves.toEqual(
        unsent('proxy-unreachable'),
      )
    }
  })

  test('has an untrusted certificate', async () => {
    const proxy = await startProxy({ credentials: credentials('expired') })
    const { address } = await secureHost()
    for (const to of [address, address.replace('https:', 'http:')]) {
      await expect(through(to, proxy.pacResult).service.update('7', write)).resolves.toEqual(
        unsent('proxy-unreachable'),
      )
    }
    expect(proxy.requests).toEqual([])
  })

  test.each([
    [407, 'proxy-login'],
    [403, 'proxy-refused'],
    [502, 'proxy-failed'],
    [503, 'proxy-failed'],
    [302, 'proxy-failed'],
  ])('refuses the tunnel with %i and a page of its own', async (status, code) => {
    const refusal = `HTTP/1.1 ${String(status)} No\r\nContent-Length: ${String(HTML.length)}\r\n\r\n${HTML}`
    const proxy = await startProxy({ refusal })
    const { address, requests } = await secureHost()
    // DIRECT is not tried, because the proxy before it has answered.
    const { service } = through(address, `${proxy.pacResult}; DIRECT`)
    await expect(service.update('7', write)).resolves.toEqual(unsent(code, status))
    expect(requests).toEqual([])
  })

  test('breaks the tunnel before the first byte of the request', async () => {
    const proxy = await startProxy({ tunnel: (client) => client.once('data', () => client.resetAndDestroy()) })
    const { address } = await secureHost()
    await expect(through(address, proxy.pacResult).service.update('7', write)).resolves.toEqual(unsent('unreachable'))
  })

  test('opens a tunnel to a host that never answers', async () => {
    const proxy = await startProxy({ tunnel: () => undefined })
    const { address } = await secureHost()
    const { service } = through(address, proxy.pacResult, { connect: 300 })
    await expect(service.update('7', write)).resolves.toEqual(unsent('unreachable'))
  })

  test('opens a tunnel to another host, or to one without TLS', async () => {
    const proxy = await startProxy()
    const other = await secureHost('other')
    await expect(through(other.address, proxy.pacResult).service.update('7', write)).resolves.toEqual(
      unsent('certificate'),
    )
    expect(other.requests).toEqual([])
    const { origin, received } = await startHost(always(200, record))
    const { service } = through(origin.replace('http:', 'https:'), proxy.pacResult)
    await expect(service.update('7', write)).resolves.toEqual(unsent('tls'))
    expect(received).toEqual([])
  })

  test.each(['SOCKS 127.0.0.1:1080', 'SOCKS4 127.0.0.1:1080', 'QUIC 127.0.0.1:1', 'PROXY'])(
    'is %s, an unsupported kind, which is not bypassed',
    async (pacResult) => {
      const { origin, received } = await startHost(always(200, record))
      await expect(through(origin, pacResult).service.update('7', write)).resolves.toEqual(unsent('proxy-unsupported'))
      expect(received).toEqual([])
    },
  )

  test('settings of the system can’t be read, or never arrive', async () => {
    const { origin, received } = await startHost(always(200, record))
    const broken = through(origin, () => Promise.reject(new Error('no settings')))
    await expect(broken.service.update('7', write)).resolves.toEqual(unsent('proxy-unsupported'))
    const dispatcher = dispatching({ routesTo: () => new Promise(() => undefined) })
    const silent = client({ address: origin, dispatcher, limits: { request: 100 } })
    await expect(silent.update('7', write)).resolves.toEqual(unsent('unreachable'))
    expect(received).toEqual([])
  })
})

describe('a request is in doubt when the proxy', () => {
  test.each([
    [407, 'proxy-login'],
    [200, 'not-the-service'],
    [403, 'not-the-service'],
    [502, 'unavailable'],
    [504, 'unavailable'],
    [302, 'redirected'],
  ])('answers %i with a page of its own', async (status, code) => {
    const headers = { 'Content-Type': 'text/html', 'Proxy-Authenticate': 'Basic realm="x"', Location: '/login' }
    const proxy = await startProxy({ answer: always(status, HTML, headers) })
    const { origin, received } = await startHost(always(200, record))
    const answer = await through(origin, proxy.pacResult).service.update('7', write)
    expect(answer).toMatchObject({ outcome: 'inDoubt', error: { code } })
    expect(proxy.requests).toHaveLength(1)
    expect(received).toEqual([])
  })

  test('hangs up after the request', async () => {
    const proxy = await startProxy({ answer: (request) => void request.socket.destroy() })
    const { origin } = await startHost(always(200, record))
    const lost = { outcome: 'inDoubt', error: { code: 'interrupted' } }
    await expect(through(origin, proxy.pacResult).service.update('7', write)).resolves.toMatchObject(lost)
  })
})

describe('the login of a proxy', () => {
  const login = { name: 'Ada', password: 'a:b ü' }
  const basic = `Basic ${Buffer.from('Ada:a:b ü').toString('base64')}`

  test('is sent to the proxy, even for a plain service', async () => {
    const proxy = await startProxy({ login: basic })
    const { origin, received } = await startHost(always(200, record))
    await expect(withLogin(origin, proxy.pacResult, login).update('7', write)).resolves.toMatchObject(applied)
    expect([proxy.requests.length, received.length]).toEqual([1, 1])
  })

  test('is not sent to the service, neither through a tunnel nor past a proxy that is down', async () => {
    const proxy = await startProxy({ login: basic })
    const secure = await secureHost()
    await expect(withLogin(secure.address, proxy.pacResult, login).update('7', write)).resolves.toMatchObject(applied)
    expect(proxy.requests).toHaveLength(1)
    const { origin, received } = await startHost(always(200, record))
    const past = `PROXY 127.0.0.1:${String(await deadPort())}; DIRECT`
    await expect(withLogin(origin, past, login).update('7', write)).resolves.toMatchObject(applied)
    const headers = [...secure.headers, ...received.map((request) => request.headers)]
    expect(headers).toHaveLength(2)
    expect(JSON.stringify(headers)).not.toContain(basic)
  })

  test('leaves an https request unsent and an http request in doubt if the proxy rejects it, and neither reaches the service', async () => {
    const proxy = await startProxy({ login: basic })
    const wrong = { ...login, password: 'x' }
    const { address, requests } = await secureHost()
    await expect(withLogin(address, proxy.pacResult, wrong).update('7', write)).resolves.toEqual(
      unsent('proxy-login', 407),
    )
    const { origin, received } = await startHost(always(200, record))
    await expect(withLogin(origin, proxy.pacResult, wrong).update('7', write)).resolves.toMatchObject({
      outcome: 'inDoubt',
      error: { code: 'proxy-login' },
    })
    expect([requests, received]).toEqual([[], []])
  })
})
