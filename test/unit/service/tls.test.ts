import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { always, client, dispatching, listening } from './host.ts'

/** Certificates made by openssl for these tests alone: they are worth nothing anywhere else. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-tls-'))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const newKey = (name: string) => [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    `${name}.key`,
  ]
  const server = (name: string, san: string, ...days: string[]) => {
    openssl('req', ...newKey(name), '-subj', '/CN=test', '-addext', `subjectAltName=${san}`, '-out', `${name}.csr`)
    const signing = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial', '-copy_extensions', 'copy']
    openssl('x509', '-req', '-in', `${name}.csr`, ...signing, ...days, '-out', `${name}.pem`)
  }
  openssl(
    'req',
    '-x509',
    ...newKey('authority'),
    '-subj',
    '/CN=Private authority',
    '-days',
    '2',
    '-out',
    'authority.pem',
  )
  server('good', 'IP:127.0.0.1', '-days', '2')
  server('other', 'DNS:other.example', '-days', '2')
  server('expired', 'IP:127.0.0.1', '-days', '-1')
})
afterAll(() => rmSync(folder, { recursive: true }))

const pem = (name: string): string => readFileSync(join(folder, name), 'utf8')

async function secureHost(certificate: string) {
  const requests: string[] = []
  const options = { key: pem(`${certificate}.key`), cert: pem(`${certificate}.pem`) }
  const answer = always(200, { id: 7, domain: 'a.example' })
  const server = createServer(options, (request, response) => {
    requests.push(request.url ?? '')
    answer(request, response)
  })
  return { address: `https://127.0.0.1:${String(await listening(server))}`, requests }
}

describe('over TLS', () => {
  test('a private authority that this machine trusts', async () => {
    const { address } = await secureHost('good')
    const dispatcher = dispatching({ authorities: [pem('authority.pem')] })
    const service = client({ address, dispatcher })
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'applied', value: { id: '7' } })
  })

  test('warmed up, twice and in the middle of a request: the same are trusted', async () => {
    const { address } = await secureHost('good')
    const trusting = dispatching({ authorities: [pem('authority.pem')] })
    const warming = trusting.warm()
    const trusted = client({ address, dispatcher: trusting }).get('7')
    await Promise.all([warming, trusting.warm()])
    await expect(trusted).resolves.toMatchObject({ outcome: 'applied', value: { id: '7' } })

    const other = dispatching()
    await other.warm()
    const answer = client({ address, dispatcher: other }).get('7')
    await expect(answer).resolves.toMatchObject({ outcome: 'notApplied', error: { code: 'certificate' } })
  })

  test.each([
    ['good', 'of an authority that this machine does not know', []],
    ['other', 'for another host', ['authority.pem']],
    ['expired', 'that has run out', ['authority.pem']],
    ['authority', 'that signed itself', []],
  ])('a certificate (%s) %s: not a byte is sent', async (certificate, _why, authorities) => {
    const { address, requests } = await secureHost(certificate)
    const service = client({ address, dispatcher: dispatching({ authorities: authorities.map(pem) }) })
    await expect(service.update('7', { email: true })).resolves.toEqual({
      outcome: 'notApplied',
      error: { code: 'certificate', message: '' },
      meta: {},
    })
    expect(requests).toEqual([])
  })
})
