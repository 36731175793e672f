import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { always, listening } from './host.ts'

const newKey = (name: string) => [
  ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
  ...['-keyout', `${name}.key`],
]

/** Creates certificates, signed by `authority`. `good` and `expired` are for this machine, and `other` is for another host. */
export function makeCertificates() {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-tls-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  /** Signs a certificate for these names and addresses. `days`: how long it is valid, or `-1` for an expired one. */
  const sign = (name: string, san: string, days: string) => {
    openssl('req', ...newKey(name), '-subj', '/CN=test', '-addext', `subjectAltName=${san}`, '-out', `${name}.csr`)
    const signing = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial', '-copy_extensions', 'copy']
    openssl('x509', '-req', '-in', `${name}.csr`, ...signing, '-days', days, '-out', `${name}.pem`)
  }
  const subject = ['-subj', '/CN=Private authority', '-days', '2', '-out', 'authority.pem']
  openssl('req', '-x509', ...newKey('authority'), ...subject)
  sign('good', 'IP:127.0.0.1,IP:::1,DNS:localhost', '2')
  sign('other', 'DNS:other.example', '2')
  sign('expired', 'IP:127.0.0.1', '-1')

  const pem = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const credentials = (name: string) => ({ key: pem(`${name}.key`), cert: pem(`${name}.pem`) })

  /** Starts a host with one website and this certificate, until the test ends. */
  async function secureHost(certificate = 'good', on = '127.0.0.1', options: ServerOptions = {}) {
    const requests: string[] = []
    const headers: IncomingHttpHeaders[] = []
    const resumed: boolean[] = []
    const answer = always(200, { id: 7, domain: 'a.example' })
    const server = createServer({ ...credentials(certificate), ...options }, (request, response) => {
      requests.push(request.url ?? '')
      headers.push(request.headers)
      answer(request, response)
    })
    server.on('secureConnection', (socket) => void resumed.push(socket.isSessionReused()))
    const port = await listening(server, on)
    return { address: `https://127.0.0.1:${String(port)}`, port, requests, headers, resumed }
  }

  function p12(name: string, passphrase: string): Uint8Array {
    const files = ['-inkey', `${name}.key`, '-in', `${name}.pem`, '-out', `${name}.p12`]
    openssl('pkcs12', '-export', ...files, '-passout', `pass:${passphrase}`)
    return readFileSync(join(folder, `${name}.p12`))
  }

  /** Starts a host that requires a client certificate from the authority, with this TLS version. */
  const demandingHost = (version: 'TLSv1.2' | 'TLSv1.3') =>
    secureHost('good', '127.0.0.1', {
      ...{ ca: pem('authority.pem'), requestCert: true, rejectUnauthorized: true },
      ...{ minVersion: version, maxVersion: version },
    })

  return { folder, authority: pem('authority.pem'), pem, credentials, secureHost, demandingHost, p12, sign, openssl }
}
