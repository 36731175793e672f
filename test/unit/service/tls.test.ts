import { spawn } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { once } from 'node:events'
import { createSecureServer } from 'node:http2'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { draft } from '../draft.ts'
import { client, dispatching, listening } from './host.ts'
import { makeCertificates } from './certificates.ts'

const { folder, authority, pem, credentials, secureHost } = makeCertificates()

describe('TLS', () => {
  test('trusts an authority that is given in addition to those of the computer', async () => {
    const { address } = await secureHost()
    const dispatcher = dispatching({ authorities: [authority] })
    const service = client({ address, dispatcher })
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'applied', value: { id: '7' } })
  })

  test('trusts the same authorities when warmed up twice during a request', async () => {
    const { address } = await secureHost()
    const trusting = dispatching({ authorities: [authority] })
    const warming = trusting.warm()
    const trusted = client({ address, dispatcher: trusting }).get('7')
    await Promise.all([warming, trusting.warm()])
    await expect(trusted).resolves.toMatchObject({ outcome: 'applied', value: { id: '7' } })

    const other = dispatching()
    await other.warm()
    const answer = client({ address, dispatcher: other }).get('7')
    await expect(answer).resolves.toMatchObject({ outcome: 'notApplied', error: { code: 'certificate' } })
  })

  test('resumes the session on the second connection', async () => {
    const { address, resumed } = await secureHost()
    const service = client({ address, dispatcher: dispatching({ authorities: [authority] }) })
    await service.get('7')
    await expect(service.create(draft('a.example'))).resolves.toMatchObject({
      outcome: 'applied',
      value: { id: '7' },
    })
    expect(resumed).toEqual([false, true])
  })

  test('uses HTTP/1.1 with a service that also offers HTTP/2', async () => {
    const versions: string[] = []
    const server = createSecureServer({ ...credentials('good'), allowHTTP1: true }, ({ httpVersion }, response) => {
      versions.push(httpVersion)
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end('{"id":7,"domain":"a.example"}')
    })
    const address = `https://127.0.0.1:${String(await listening(server))}`
    const service = client({ address, dispatcher: dispatching({ authorities: [authority] }) })
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'applied' })
    expect(versions).toEqual(['1.1'])
  })

  test.each([
    ['of an authority that this machine does not know', 'good', []],
    ['for another host', 'other', ['authority.pem']],
    ['that has expired', 'expired', ['authority.pem']],
    ['that is self-signed', 'authority', []],
  ])('sends nothing to a service with a certificate %s (%s)', async (_why, certificate, authorities) => {
    const { address, requests } = await secureHost(certificate)
    const service = client({ address, dispatcher: dispatching({ authorities: authorities.map(pem) }) })
    await expect(service.create(draft('a.example'))).resolves.toEqual({
      outcome: 'notApplied',
      error: { code: 'certificate', message: '' },
      meta: {},
    })
    expect(requests).toEqual([])
  })
})

async function elsewhere(
  address: string,
  trusted: Record<string, string>,
): Promise<{ outcome: string; certificates: string[] }> {
  const ofThisComputer = { SSL_CERT_FILE: undefined, SSL_CERT_DIR: undefined, NODE_EXTRA_CA_CERTS: undefined }
  const child = spawn(process.execPath, [fileURLToPath(import.meta.resolve('./trusting-child.ts')), address], {
    env: { ...process.env, ...ofThisComputer, ...trusted },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  return JSON.parse(output) as { outcome: string; certificates: string[] }
}

describe.runIf(process.platform === 'linux')('a private authority', () => {
  const asFile = () => join(folder, 'authority.pem')
  /** Creates a folder of certificates, whose names are hashes of the subjects, as in Linux distributions. */
  function asFolder(): string {
    const authorities = join(folder, 'authorities')
    mkdirSync(authorities)
    symlinkSync(asFile(), join(authorities, '0a1b2c3d.0'))
    return authorities
  }

  test.each([
    ['that the system’s file has', () => ({ SSL_CERT_FILE: asFile() })],
    ['that the system’s folder has', () => ({ SSL_CERT_DIR: asFolder() })],
    ['that NODE_EXTRA_CA_CERTS names', () => ({ NODE_EXTRA_CA_CERTS: asFile() })],
  ])('%s is trusted, and shown in the settings', async (_where, trusted) => {
    const { address } = await secureHost()
    const environment = trusted()
    expect(await elsewhere(address, environment)).toEqual({
      outcome: 'applied',
      certificates: Object.values(environment),
    })
  })

  test('that is not installed is not trusted', async () => {
    const { address } = await secureHost()
    expect(await elsewhere(address, {})).toEqual({ outcome: 'certificate', certificates: [] })
  })

  test('is not trusted when the environment switches the check off', async () => {
    const { address, requests } = await secureHost()
    expect(await elsewhere(address, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toMatchObject({ outcome: 'certificate' })
    expect(requests).toEqual([])
  })
})
