import { createPrivateKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { NeverSent } from '../../../src/main/service/request-errors.ts'
import type { ClientCertificate, TlsIdentity } from '../../../src/main/service/tls-identity.ts'
import { draft } from '../draft.ts'
import { makeCertificates } from './certificates.ts'
import { always, client, dispatching, startHost } from './host.ts'
import { clientsThrough, startProxy, unsent } from './proxies.ts'

const { authority, credentials, demandingHost, openssl, p12, pem, secureHost, sign } = makeCertificates()
sign('ada', 'DNS:ada.example', '2')
sign('late', 'DNS:ada.example', '-1')
openssl(
  ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
  ...['-keyout', 'mallory.key', '-subj', '/CN=Mallory', '-days', '2', '-out', 'mallory.pem'],
)

const applied = { outcome: 'applied', value: { id: '7' } }
const PASSPHRASE = 'a passphrase, ü'
const versions = ['TLSv1.2', 'TLSv1.3'] as const

const asP12 = (name: string, passphrase = PASSPHRASE): ClientCertificate => ({
  ...{ format: 'p12', content: p12(name, PASSPHRASE), passphrase: new Secret(passphrase) },
})
function asPem(name: string): ClientCertificate {
  const sealed = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: PASSPHRASE } as const
  const key = createPrivateKey(pem(`${name}.key`)).export(sealed)
  return { format: 'pem', chain: pem(`${name}.pem`), key: String(key), passphrase: new Secret(PASSPHRASE) }
}

const identified = (address: string, identity: TlsIdentity | null, dispatcher = dispatching()) =>
  client({ address, dispatcher, identity: async () => identity })

describe.each(versions)('a service that requires a client certificate, over %s', (version) => {
  test.each([
    ['PKCS#12', asP12],
    ['PEM', asPem],
  ])('accepts requests with the client certificate of the connection, in the format %s', async (_format, load) => {
    const { address, requests } = await demandingHost(version)
    const service = identified(address, { authorities: [authority], client: load('ada') })
    await expect(service.get('7')).resolves.toMatchObject(applied)
    await expect(service.create(draft('a.example'))).resolves.toMatchObject(applied)
    expect(requests).toHaveLength(2)
  })

  test('never receives a request of a connection without a client certificate', async () => {
    const { address, requests } = await demandingHost(version)
    const service = identified(address, { authorities: [authority], client: null })
    const answer = await service.update('7', { email: true })
    // In TLS 1.2, the alert doesn't tell that the certificate is missing.
    expect(answer).toEqual(unsent(version === 'TLSv1.3' ? 'client-certificate' : 'tls'))
    expect(requests).toEqual([])
  })
})

test('a client certificate is used for its own connection only, although another connection shares the dispatcher', async () => {
  const { address, requests } = await demandingHost('TLSv1.3')
  const dispatcher = dispatching({ authorities: [authority] })
  const ada = identified(address, { authorities: [], client: asP12('ada') }, dispatcher)
  const other = identified(address, null, dispatcher)
  await expect(ada.get('7')).resolves.toMatchObject(applied)
  await expect(other.get('7')).resolves.toEqual(unsent('client-certificate'))
  await expect(ada.get('7')).resolves.toMatchObject(applied)
  expect(requests).toHaveLength(2)
})

test('a removed client certificate is no longer used from the next request on', async () => {
  const { address } = await demandingHost('TLSv1.3')
  let identity: TlsIdentity = { authorities: [authority], client: asP12('ada') }
  const service = client({ address, identity: async () => identity })
  await expect(service.get('7')).resolves.toMatchObject(applied)
  identity = { authorities: [authority], client: null }
  await expect(service.get('7')).resolves.toEqual(unsent('client-certificate'))
})

test.each([
  ['comes from an unknown authority', 'mallory'],
  ['has expired', 'late'],
])('a write with a client certificate that %s does not reach the service', async (_why, name) => {
  const { address, requests } = await demandingHost('TLSv1.2')
  const service = identified(address, { authorities: [authority], client: asP12(name) })
  const answer = await service.create(draft('a.example'))
  expect(answer.outcome).not.toBe('applied')
  expect(requests).toEqual([])
})

test('a client certificate that can’t be opened ends the request before anything is sent', async () => {
  const { address, requests } = await secureHost()
  const wrong = identified(address, { authorities: [authority], client: asP12('ada', 'wrong') })
  await expect(wrong.update('7', { email: true })).resolves.toEqual(unsent('client-certificate'))
  const unread = client({ address, identity: () => Promise.reject(new NeverSent('client-certificate')) })
  await expect(unread.update('7', { email: true })).resolves.toEqual(unsent('client-certificate'))
  expect(requests).toEqual([])
})

test('the page with which nginx asks for a client certificate is recognized, and the request stays in doubt', async () => {
  const page = '<html><head><title>400 No required SSL certificate was sent</title></head></html>'
  const { service } = await startHost(always(400, page, { 'Content-Type': 'text/html' }))
  await expect(service.update('7', { email: true })).resolves.toMatchObject({
    outcome: 'inDoubt',
    error: { code: 'client-certificate', status: 400 },
  })
})

describe('an additional certificate authority', () => {
  test('is trusted by its connection alone', async () => {
    const { address } = await secureHost()
    const dispatcher = dispatching()
    const own = identified(address, { authorities: [authority], client: null }, dispatcher)
    const other = identified(address, null, dispatcher)
    await expect(own.get('7')).resolves.toMatchObject(applied)
    await expect(other.get('7')).resolves.toEqual(unsent('certificate'))
  })

  test('does not turn off the check of the host name', async () => {
    const { address, requests } = await secureHost('other')
    const own = identified(address, { authorities: [authority], client: null })
    await expect(own.get('7')).resolves.toEqual(unsent('certificate'))
    expect(requests).toEqual([])
  })

  test('does not replace the authorities of the computer', async () => {
    const dispatcher = dispatching({ authorities: [authority] })
    const { address: good } = await secureHost()
    const more = identified(good, { authorities: [pem('mallory.pem')], client: null }, dispatcher)
    await expect(more.get('7')).resolves.toMatchObject(applied)
  })
})

test('an HTTPS proxy never gets the client certificate, which goes through its tunnel to the service', async () => {
  const { address } = await demandingHost('TLSv1.3')
  const shown: string[] = []
  const asking = { ...credentials('good'), requestCert: true, rejectUnauthorized: false }
  const proxy = await startProxy({ credentials: asking, onPeer: (subject) => void shown.push(subject) })
  const { through } = clientsThrough(authority)
  const identity = { authorities: [authority], client: asP12('ada') }
  await expect(through(address, proxy.pacResult, { identity }).service.get('7')).resolves.toMatchObject(applied)
  expect(proxy.requests).toHaveLength(1)
  expect(shown).toEqual([''])
})
