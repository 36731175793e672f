import { describe, expect, test } from 'vitest'
import { draft } from '../draft.ts'
import { makeCertificates } from './certificates.ts'
import { always, startHost } from './host.ts'
import { deadPort, silentServer, startSocks, unsent, clientsThrough } from './proxies.ts'

const { authority, secureHost } = makeCertificates()
const { through, withLogin } = clientsThrough(authority)

const record = { id: 7, domain: 'a.example' }
const applied = { outcome: 'applied', value: { id: '7' } }
const write = { email: true } as const

describe('a SOCKS 5 proxy', () => {
  test('receives the name of a plain service, and resolves it instead of the app', async () => {
    const { origin, received } = await startHost(always(200, record))
    const proxy = await startSocks({ to: { host: '127.0.0.1', port: Number(new URL(origin).port) } })
    const { service } = through('http://stats.invalid', proxy.pacResult)
    await expect(service.update('7', write)).resolves.toMatchObject(applied)
    expect(proxy.targets).toEqual(['stats.invalid:80'])
    expect(received).toMatchObject([{ url: '/api/v1/websites/7', headers: { host: 'stats.invalid' } }])
  })

  test('connects to a secure service, whose certificate is checked', async () => {
    const proxy = await startSocks()
    const { address, requests } = await secureHost()
    const { service } = through(address, proxy.pacResult)
    await expect(service.get('7')).resolves.toMatchObject(applied)
    await expect(service.create(draft('a.example'))).resolves.toMatchObject(applied)
    expect(requests).toHaveLength(2)
    const other = await secureHost('other')
    await expect(through(other.address, proxy.pacResult).service.update('7', write)).resolves.toEqual(
      unsent('certificate'),
    )
    expect(other.requests).toEqual([])
  })

  test('receives its sign-in', async () => {
    const login = { name: 'Ada', password: 'a:b ü' }
    const proxy = await startSocks({ login })
    const { address } = await secureHost()
    await expect(withLogin(address, proxy.pacResult, login).update('7', write)).resolves.toMatchObject(applied)
    const wrong = withLogin(address, proxy.pacResult, { ...login, password: 'x' })
    await expect(wrong.update('7', write)).resolves.toEqual(unsent('proxy-login'))
    await expect(through(address, proxy.pacResult).service.update('7', write)).resolves.toEqual(unsent('proxy-login'))
  })

  test.each([
    [1, 'proxy-failed'],
    [2, 'proxy-refused'],
    [4, 'proxy-failed'],
    [5, 'proxy-failed'],
  ])('that refuses with %i is not bypassed', async (reply, code) => {
    const proxy = await startSocks({ reply })
    const { origin, received } = await startHost(always(200, record))
    const { service } = through(origin, `${proxy.pacResult}; DIRECT`)
    await expect(service.update('7', write)).resolves.toEqual(unsent(code))
    expect(received).toEqual([])
  })

  test('is reported as unreachable if it is not running, or if another program answers', async () => {
    const { origin, received } = await startHost(always(200, record))
    const dead = `SOCKS5 127.0.0.1:${String(await deadPort())}`
    const web = `SOCKS5 ${new URL(origin).host}`
    for (const pacResult of [dead, web]) {
      await expect(through(origin, pacResult).service.update('7', write)).resolves.toEqual(unsent('proxy-unreachable'))
    }
    expect(received).toEqual([])
  })

  test('that never answers is unreachable, and its connection is closed', { timeout: 15_000 }, async () => {
    const silent = await silentServer()
    const { service } = through('http://stats.invalid', `SOCKS5 127.0.0.1:${String(silent.port)}`, { request: 10_000 })
    await expect(service.update('7', write)).resolves.toEqual(unsent('proxy-unreachable'))
    await expect.poll(silent.open).toBe(0)
  })

  test('that connects to a silent host ends with nothing sent', async () => {
    const silent = await silentServer()
    const proxy = await startSocks()
    const { service } = through(`https://127.0.0.1:${String(silent.port)}`, proxy.pacResult, { connect: 300 })
    await expect(service.update('7', write)).resolves.toEqual(unsent('unreachable'))
    await expect.poll(silent.open).toBe(0)
  })
})
