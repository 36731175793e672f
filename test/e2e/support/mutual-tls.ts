import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { request as forward } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface MutualTls {
  address: string
  authority: string
  /** Path of the client certificate, a PKCS #12 file that is encrypted with the given passphrase. */
  client: string
  close(): Promise<void>
}

/** Starts a TLS server with a private certificate that requires a client certificate, in front of a service. */
export async function startMutualTls(service: string, passphrase: string): Promise<MutualTls> {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-mutual-tls-'))
  const options = { cwd: folder, stdio: 'pipe' } as const
  const openssl = (...args: string[]) => execFileSync('openssl', args, options)
  const newKey = (name: string) => [
    ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`],
  ]
  openssl('req', '-x509', ...newKey('authority'), '-subj', '/CN=Acme CA', '-days', '2', '-out', 'authority.pem')
  for (const [name, subject] of [
    ['server', '/CN=localhost'],
    ['client', '/CN=Ada'],
  ] as const) {
    const alternative = `subjectAltName=${name === 'server' ? 'DNS:localhost' : 'DNS:ada.example'}`
    openssl('req', ...newKey(name), '-subj', subject, '-addext', alternative, '-out', `${name}.csr`)
    const signing = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial', '-copy_extensions', 'copy']
    openssl('x509', '-req', '-in', `${name}.csr`, ...signing, '-days', '2', '-out', `${name}.pem`)
  }
  const files = ['-inkey', 'client.key', '-in', 'client.pem', '-out', 'client.p12']
  // As an argument, the passphrase would be visible to other processes.
  execFileSync('openssl', ['pkcs12', '-export', ...files, '-passout', 'stdin'], { ...options, input: passphrase })

  const read = (name: string): Buffer => readFileSync(join(folder, name))
  const tls = { cert: read('server.pem'), key: read('server.key'), ca: read('authority.pem') }
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, (request, response) => {
    const { method, headers, url = '' } = request
    const onwards = forward(service + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onwards)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return {
    address: `https://localhost:${String((server.address() as AddressInfo).port)}`,
    authority: join(folder, 'authority.pem'),
    client: join(folder, 'client.p12'),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
