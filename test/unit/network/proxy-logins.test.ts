import { describe, expect, test } from 'vitest'
import { createProxyLogins } from '../../../src/main/network/proxy-logins.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { readRoutes, type Route } from '../../../src/main/service/proxy.ts'
import { makeCertificates } from '../service/certificates.ts'
import { always, client, dispatching, startHost } from '../service/host.ts'
import { startProxy, startSocks, unsent } from '../service/proxies.ts'
import { memoryKeychain } from './keychain.ts'

const { authority, secureHost } = makeCertificates()
const applied = { outcome: 'applied', value: { id: '7' } }
const write = { email: true } as const
/** The `Proxy-Authorization` header that the test proxies require. */
const BASIC = `Basic ${Buffer.from('Ada:proxy-password, ü').toString('base64')}`

/** Returns proxy logins in a keychain, and a client whose requests take the routes of `pacResult`. */
function through(address: string, pacResult: string | Route[], options?: { missing: boolean }) {
  const { keychain, entries, reads } = memoryKeychain(options)
  const start = () => {
    const logins = createProxyLogins(keychain)
    const routesTo = logins.withLogins(async () => (typeof pacResult === 'string' ? readRoutes(pacResult) : pacResult))
    const dispatcher = dispatching({ authorities: [authority], routesTo })
    return { logins, service: client({ address, dispatcher }) }
  }
  return { keychain, entries, reads, start, ...start() }
}

describe.each(['a secure', 'a plain'])('an HTTP proxy on the way to %s service', (kind) => {
  const target = async () => {
    if (kind === 'a secure') return secureHost()
    const { origin: address, received } = await startHost(always(200, { id: 7, domain: 'a.example' }))
    return { address, requests: received }
  }

  test('gets the sign-in of the keychain, also after a restart', async () => {
    const proxy = await startProxy({ login: BASIC })
    const { address } = await target()
    const { entries, logins, service, start } = through(address, proxy.pacResult)
    await expect(service.update('7', write)).resolves.toMatchObject({ error: { code: 'proxy-login' } })
    const stored = await logins.set('127.0.0.1', proxy.port, 'Ada', new Secret('proxy-password, ü'))
    expect(stored).toEqual({ ok: true, value: 'keychain' })
    expect([...entries.keys()]).toEqual([`proxy:127.0.0.1:${String(proxy.port)}`])
    await expect(service.update('7', write)).resolves.toMatchObject({ outcome: 'applied' })
    await expect(start().service.update('7', write)).resolves.toMatchObject({ outcome: 'applied' })

    await expect(logins.remove('127.0.0.1', proxy.port)).resolves.toMatchObject({ ok: true })
    expect(entries.size).toBe(0)
    await expect(service.update('7', write)).resolves.toMatchObject({ error: { code: 'proxy-login' } })
  })
})

test('a proxy that refuses the sign-in gets each request once, and the service none', async () => {
  const proxy = await startProxy({ login: BASIC })
  const { address, requests } = await secureHost()
  const { logins, service } = through(address, proxy.pacResult)
  await logins.set('127.0.0.1', proxy.port, 'Ada', new Secret('wrong'))
  await expect(service.update('7', write)).resolves.toEqual(unsent('proxy-login', 407))
  expect([proxy.requests.length, requests]).toEqual([1, []])
})

test('a keychain that refuses to return a sign-in is asked only once, until the user asks again or the keychain is ready again', async () => {
  const proxy = await startProxy({ login: BASIC })
  const { address } = await secureHost()
  const { keychain, entries, reads, logins, start } = through(address, proxy.pacResult)
  await logins.set('127.0.0.1', proxy.port, 'Ada', new Secret('proxy-password, ü'))
  const stored = [...entries]
  entries.clear() // a locked keychain answers that it has no entry
  const { service } = start()
  const refusals = await Promise.all([service.get('7'), service.get('7')])
  refusals.push(await service.get('7'))
  for (const refusal of refusals) expect(refusal).toEqual(unsent('proxy-login', 407))
  expect(reads).toHaveLength(1)
  keychain.askAgain()
  await service.get('7')
  expect(reads).toHaveLength(2)

  for (const [name, value] of stored) entries.set(name, value)
  await keychain.set('other', new Secret('stored once the keychain is unlocked'))
  await expect(service.get('7')).resolves.toMatchObject(applied)
})

test('a SOCKS 5 proxy gets the sign-in of the keychain', async () => {
  const login = { name: 'Ada', password: 'a:b ü' }
  const proxy = await startSocks({ login })
  const { address } = await secureHost()
  const { logins, service } = through(address, proxy.pacResult)
  await expect(service.update('7', write)).resolves.toEqual(unsent('proxy-login'))
  await logins.set('127.0.0.1', proxy.port, login.name, new Secret(login.password))
  await expect(service.update('7', write)).resolves.toMatchObject(applied)
})

test('uses the entered sign-in of a proxy instead of the one in the environment', async () => {
  const proxy = await startProxy({ login: BASIC })
  const { address } = await secureHost()
  const routes = readRoutes(proxy.pacResult).map((route) => ({ ...route, login: { name: 'Ada', password: 'old' } }))
  const { logins, service } = through(address, routes)
  await logins.set('127.0.0.1', proxy.port, 'Ada', new Secret('proxy-password, ü'))
  await expect(service.get('7')).resolves.toMatchObject(applied)
})

test('a sign-in goes to its proxy only', async () => {
  const proxy = await startProxy()
  const { address } = await secureHost()
  const { logins, service } = through(address, proxy.pacResult)
  await logins.set('127.0.0.1', proxy.port + 1, 'Ada', new Secret('proxy-password'))
  await expect(service.get('7')).resolves.toMatchObject(applied)
  expect(proxy.requests[0]?.headers).not.toHaveProperty('proxy-authorization')
})

test('a sign-in that is removed while a request reads it is not used again', async () => {
  const { keychain, entries } = memoryKeychain()
  await createProxyLogins(keychain).set('127.0.0.1', 8080, 'Ada', new Secret('proxy-password'))
  const logins = createProxyLogins(keychain)
  const proxy: Route = { kind: 'http', host: '127.0.0.1', port: 8080 }
  const routes = logins.withLogins(async () => [proxy])
  let removed: Promise<unknown> | undefined
  entries.get = (name) => {
    removed ??= logins.remove('127.0.0.1', 8080)
    return Map.prototype.get.call(entries, name) as string | undefined
  }
  await routes('https://a.example')
  await removed
  expect(await routes('https://a.example')).toEqual([proxy])
})

test('without a keychain, a sign-in is kept until the app ends', async () => {
  const proxy = await startProxy({ login: BASIC })
  const { address } = await secureHost()
  const { logins, service, start } = through(address, proxy.pacResult, { missing: true })
  const stored = await logins.set('127.0.0.1', proxy.port, 'Ada', new Secret('proxy-password, ü'))
  expect(stored).toEqual({ ok: true, value: 'run' })
  await expect(service.get('7')).resolves.toMatchObject(applied)
  await expect(start().service.get('7')).resolves.toEqual(unsent('proxy-login', 407))
})
