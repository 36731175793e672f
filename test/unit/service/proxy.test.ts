import { describe, expect, test } from 'vitest'
import { tellingSocks, waysOf } from '../../../src/main/service/proxy.ts'
import { makeCertificates } from './certificates.ts'
import { draft } from '../draft.ts'
import { always, client, dispatching, HTML, KEY, startHost } from './host.ts'
import { deadPort, silentServer, startProxy } from './proxies.ts'

const { authority, credentials, secureHost } = makeCertificates()

const record = { id: 7, domain: 'a.example' }
const applied = { outcome: 'applied', value: { id: '7' } }

/** A client whose system names these ways to everything, and what the system was asked. */
function through(address: string, words: string | (() => Promise<string>), connectTimeout = 10_000) {
  const asked: string[] = []
  const proxyFor = (origin: string): Promise<string> => {
    asked.push(origin)
    return typeof words === 'string' ? Promise.resolve(words) : words()
  }
  const dispatcher = dispatching({ authorities: [authority], proxyFor, connectTimeout })
  return { asked, service: client({ address, dispatcher }) }
}

const unsent = (code: string, status?: number) => ({
  outcome: 'notApplied',
  error: { code, message: '', ...(status !== undefined && { status }) },
  meta: {},
})
const write = { email: true } as const

describe('through the system’s proxy', () => {
  test('to a plain service: the proxy is told the whole address, and passes on what the service has to know', async () => {
    const proxy = await startProxy()
    const { origin, received } = await startHost(always(200, record))
    const { service } = through(`${origin}/stats`, proxy.words)
    await expect(service.update('7', write)).resolves.toMatchObject(applied)
    expect(proxy.heard).toMatchObject([{ method: 'PUT', target: `${origin}/stats/api/v1/websites/7` }])
    const headers = { host: origin.slice('http://'.length), authorization: `Bearer ${KEY}` }
    expect(received).toMatchObject([{ url: '/stats/api/v1/websites/7', body: 'email=1', headers }])
  })

  test.each([
    ['plain', undefined],
    ['secure', 'good'],
  ])('to a secure service, by a %s proxy: the proxy learns where to, and nothing else', async (_kind, certificate) => {
    const proxy = await startProxy(certificate === undefined ? {} : { credentials: credentials(certificate) })
    const { address, requests } = await secureHost()
    const { service } = through(address, proxy.words)
    await expect(service.update('7', write)).resolves.toMatchObject(applied)
    await expect(service.get('7')).resolves.toMatchObject(applied)
    await expect(service.create(draft('a.example'))).resolves.toMatchObject(applied)
    expect(requests).toEqual(['/api/v1/websites/7', '/api/v1/websites/7', '/api/v1/websites'])
    // The first two by one tunnel.
    expect(proxy.heard.map(({ method, target }) => [method, target])).toEqual(
      Array(2).fill(['CONNECT', address.slice('https://'.length)]),
    )
    expect(JSON.stringify(proxy.heard)).not.toMatch(/authorization|websites|0123456789/)
  })

  test('by a secure proxy to a plain service', async () => {
    const proxy = await startProxy({ credentials: credentials('good') })
    const { origin, received } = await startHost(always(200, record))
    await expect(through(origin, proxy.words).service.get('7')).resolves.toMatchObject(applied)
    expect([proxy.heard.length, received.length]).toEqual([1, 1])
  })

  test('the system is asked for each connection, and told no path, no search and no key', async () => {
    const { origin } = await startHost(always(200, []))
    const { asked, service } = through(`${origin}/stats`, 'DIRECT')
    await service.list({ search: 'hush' })
    await service.list({})
    await service.create(draft('a.example'))
    expect(asked).toEqual([`${origin}/`, `${origin}/`])
  })

  test('no proxy where the system names none', async () => {
    const { origin, received } = await startHost(always(200, record))
    await expect(through(origin, 'DIRECT').service.get('7')).resolves.toMatchObject(applied)
    await expect(through(origin, '').service.get('7')).resolves.toMatchObject(applied)
    expect(received.map(({ url }) => url)).toEqual(Array(2).fill('/api/v1/websites/7'))
  })

  test.each([['PROXY 127.0.0.1:1'], ['SOCKS5 127.0.0.1:1080'], ['PROXY nowhere.invalid:8080'], ['WHATEVER']])(
    'after %s, which is no help, the next way is taken: a proxy, or none',
    async (first) => {
      const { address } = await secureHost()
      const proxy = await startProxy()
      await expect(through(address, `${first}; ${proxy.words}; DIRECT`).service.get('7')).resolves.toMatchObject(
        applied,
      )
      expect(proxy.heard).toHaveLength(1)
      await expect(through(address, `${first};DIRECT`).service.get('7')).resolves.toMatchObject(applied)
    },
  )
})

describe('a proxy in the way: nothing was sent', () => {
  test('it isn’t there', async () => {
    const { address, requests } = await secureHost()
    const { origin, received } = await startHost(always(200, record))
    const dead = `PROXY 127.0.0.1:${String(await deadPort())}`
    for (const service of [through(address, dead).service, through(origin, dead).service]) {
      await expect(service.update('7', write)).resolves.toEqual(unsent('proxy-unreachable'))
    }
    expect([requests, received]).toEqual([[], []])
  })

  test('it says nothing', async () => {
    const silent = await silentServer()
    const { address } = await secureHost()
    const { service } = through(address, `PROXY 127.0.0.1:${String(silent.port)}`, 200)
    await expect(service.update('7', write)).resolves.toEqual(unsent('proxy-unreachable'))
    await expect.poll(silent.open).toBe(0)
    expect(silent.heard()).not.toMatch(/websites|authorization/i)
  })

  test('it isn’t a proxy, or hangs up', async () => {
    const { address } = await secureHost()
    for (const refusal of ['SSH-2.0-OpenSSH_9.2\r\n', '']) {
      const proxy = await startProxy({ refusal })
      await expect(through(address, proxy.words).service.update('7', write)).resolves.toEqual(
        unsent('proxy-unreachable'),
      )
    }
  })

  test('its own certificate isn’t trusted', async () => {
    const proxy = await startProxy({ credentials: credentials('expired') })
    const { address } = await secureHost()
    for (const to of [address, address.replace('https:', 'http:')]) {
      await expect(through(to, proxy.words).service.update('7', write)).resolves.toEqual(unsent('proxy-unreachable'))
    }
    expect(proxy.heard).toEqual([])
  })

  test.each([
    [407, 'proxy-login'],
    [403, 'proxy-refused'],
    [502, 'proxy-refused'],
    [503, 'proxy-refused'],
    [302, 'proxy-refused'],
  ])('it answers the wish for a tunnel with %i and a page of its own', async (status, code) => {
    const refusal = `HTTP/1.1 ${String(status)} No\r\nContent-Length: ${String(HTML.length)}\r\n\r\n${HTML}`
    const proxy = await startProxy({ refusal })
    const { address, requests } = await secureHost()
    // A proxy that answered has decided: nobody goes round it.
    const { service } = through(address, `${proxy.words}; DIRECT`)
    await expect(service.update('7', write)).resolves.toEqual(unsent(code, status))
    expect(requests).toEqual([])
  })

  test('the tunnel breaks before a byte of the request', async () => {
    const proxy = await startProxy({ tunnel: (client) => client.once('data', () => client.resetAndDestroy()) })
    const { address } = await secureHost()
    await expect(through(address, proxy.words).service.update('7', write)).resolves.toEqual(unsent('unreachable'))
  })

  test('the tunnel leads to silence', async () => {
    const proxy = await startProxy({ tunnel: () => undefined })
    const { address } = await secureHost()
    const { service } = through(address, proxy.words, 300)
    await expect(service.update('7', write)).resolves.toEqual(unsent('unreachable'))
  })

  test('the tunnel leads to somebody else, or to what doesn’t speak TLS', async () => {
    const proxy = await startProxy()
    const other = await secureHost('other')
    await expect(through(other.address, proxy.words).service.update('7', write)).resolves.toEqual(unsent('certificate'))
    expect(other.requests).toEqual([])
    const { origin, received } = await startHost(always(200, record))
    const { service } = through(origin.replace('http:', 'https:'), proxy.words)
    await expect(service.update('7', write)).resolves.toEqual(unsent('tls'))
    expect(received).toEqual([])
  })

  test.each(['SOCKS 127.0.0.1:1080', 'SOCKS4 127.0.0.1:1080', 'SOCKS5 127.0.0.1:1080', 'QUIC 127.0.0.1:1', 'PROXY'])(
    '%s is of a kind that can’t be used, and isn’t gone round',
    async (words) => {
      const { origin, received } = await startHost(always(200, record))
      await expect(through(origin, words).service.update('7', write)).resolves.toEqual(unsent('proxy-unsupported'))
      expect(received).toEqual([])
    },
  )

  test('the system can’t say, or never does', async () => {
    const { origin, received } = await startHost(always(200, record))
    const broken = through(origin, () => Promise.reject(new Error('no settings')))
    await expect(broken.service.update('7', write)).resolves.toEqual(unsent('proxy-unsupported'))
    const silent = through(origin, () => new Promise(() => undefined), 100)
    await expect(silent.service.update('7', write)).resolves.toEqual(unsent('unreachable'))
    expect(received).toEqual([])
  })
})

describe('a proxy in the way: nobody knows what became of it', () => {
  test.each([
    [407, 'proxy-login'],
    [200, 'not-the-service'],
    [403, 'not-the-service'],
    [502, 'unavailable'],
    [504, 'unavailable'],
    [302, 'redirected'],
  ])('it answers %i with a page of its own', async (status, code) => {
    const headers = { 'Content-Type': 'text/html', 'Proxy-Authenticate': 'Basic realm="x"', Location: '/login' }
    const proxy = await startProxy({ answer: always(status, HTML, headers) })
    const { origin, received } = await startHost(always(200, record))
    const answer = await through(origin, proxy.words).service.update('7', write)
    expect(answer).toMatchObject({ outcome: 'inDoubt', error: { code } })
    expect(proxy.heard).toHaveLength(1)
    expect(received).toEqual([])
  })

  test('it breaks off after the request', async () => {
    const proxy = await startProxy({ answer: (request) => void request.socket.destroy() })
    const { origin } = await startHost(always(200, record))
    const lost = { outcome: 'inDoubt', error: { code: 'interrupted' } }
    await expect(through(origin, proxy.words).service.update('7', write)).resolves.toMatchObject(lost)
  })
})

test.each([
  ['PROXY proxy.example:3128; DIRECT', [{ host: 'proxy.example', port: 3128, secure: false }, 'direct']],
  ['PROXY proxy.example', [{ host: 'proxy.example', port: 80, secure: false }]],
  ['HTTPS proxy.example', [{ host: 'proxy.example', port: 443, secure: true }]],
  ['  proxy [::1]:8080 ;;', [{ host: '::1', port: 8080, secure: false }]],
  ['PROXY user:secret@proxy.example:3128', ['unsupported']],
  ['PROXY proxy.example:99999', ['unsupported']],
  ['PROXY a.example:1 b.example:2', ['unsupported']],
  ['DIRECT a.example', ['unsupported']],
])('the system’s words %j are read as they are meant', (words, expected) => {
  const ways = expected.map((each) => (typeof each === 'string' ? { kind: each } : { kind: 'proxy', ...each }))
  expect(waysOf(words)).toEqual(ways)
})

describe('a SOCKS proxy of the environment', () => {
  const told = (env: Record<string, string>, words: string): Promise<string> =>
    tellingSocks(async () => words, env)('http://stats.example/')

  test.each([
    [{ all_proxy: 'socks5://127.0.0.1:1080' }],
    [{ ALL_PROXY: 'socks5h://127.0.0.1:1080/' }],
    [{ http_proxy: 'socks4://127.0.0.1:1080' }],
    [{ HTTPS_PROXY: 'SOCKS://user:p@ss@127.0.0.1:1080' }],
  ])('is called SOCKS, where Chromium takes it for an HTTP proxy: %o', async (env) => {
    await expect(told(env, 'PROXY 127.0.0.1:1080')).resolves.toBe('SOCKS 127.0.0.1:1080')
  })

  test('without a port it has the one that Chromium takes', async () => {
    await expect(told({ all_proxy: 'socks5://Gate.example' }, 'PROXY gate.example:80;DIRECT')).resolves.toBe(
      'SOCKS gate.example:80;DIRECT',
    )
    await expect(told({ all_proxy: 'socks5://[::1]:1080' }, 'PROXY [::1]:1080')).resolves.toBe('SOCKS [::1]:1080')
  })

  test.each([
    [{ all_proxy: 'socks5://127.0.0.1:1080' }, 'DIRECT'],
    [{ all_proxy: 'socks5://127.0.0.1:1080' }, 'PROXY 127.0.0.1:3128'],
    [{ all_proxy: 'http://127.0.0.1:1080', no_proxy: 'socks5://127.0.0.1:1080' }, 'PROXY 127.0.0.1:1080'],
    [{ all_proxy: '127.0.0.1:1080' }, 'PROXY 127.0.0.1:1080'],
    [{ all_proxy: 'socks5://127.0.0.1:1080', http_proxy: 'http://127.0.0.1:1080' }, 'PROXY 127.0.0.1:1080'],
    [{}, 'PROXY 127.0.0.1:1080'],
  ])('changes nothing else of the answer: %o, %s', async (env, words) => {
    await expect(told(env, words)).resolves.toBe(words)
  })
})
