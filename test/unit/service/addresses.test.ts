import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { normalizeAddress } from '../../../src/shared/connection.ts'
import { makeCertificates } from './certificates.ts'
import { always, client, dispatching, listening, startHost } from './host.ts'

const { authority, secureHost } = makeCertificates()
const applied = { outcome: 'applied', value: { id: '7' } }

/** Starts a host on one address of this machine. `hosts` lists the `Host` headers of the requests. */
async function plainHost(on: string) {
  const hosts: (string | undefined)[] = []
  const server = createServer((request, response) => {
    hosts.push(request.headers.host)
    always(200, { id: 7, domain: 'a.example' })(request, response)
  })
  return { port: String(await listening(server, on)), hosts }
}

describe('addresses of both families', () => {
  test('sends requests to an IPv6 literal', async () => {
    const { port, hosts } = await plainHost('::1')
    await expect(client({ address: `http://[::1]:${port}` }).get('7')).resolves.toMatchObject(applied)
    expect(hosts).toEqual([`[::1]:${port}`])
  })

  test('sends requests to an IPv6 literal over TLS', async () => {
    const { port } = await secureHost('good', '::1')
    const dispatcher = dispatching({ authorities: [authority] })
    const service = client({ address: `https://[::1]:${String(port)}`, dispatcher })
    await expect(service.get('7')).resolves.toMatchObject(applied)
  })

  test.each(['127.0.0.1', '::1'])('connects to localhost when the service listens only on %s', async (on) => {
    const { port } = await plainHost(on)
    await expect(client({ address: `http://localhost:${port}` }).get('7')).resolves.toMatchObject(applied)
    const secure = await secureHost('good', on)
    const dispatcher = dispatching({ authorities: [authority] })
    const service = client({ address: `https://localhost:${String(secure.port)}`, dispatcher })
    await expect(service.get('7')).resolves.toMatchObject(applied)
  })

  test('connects to this machine for a name below localhost, such as stats.localhost', async () => {
    const { port } = await plainHost('127.0.0.1')
    await expect(client({ address: `http://stats.localhost:${port}` }).get('7')).resolves.toMatchObject(applied)
  })
})

describe('plain http', () => {
  /** Returns whether the app warns of this address, or the error code of an invalid address. */
  const insecure = (typed: string): boolean | string => {
    const normal = normalizeAddress(typed)
    return normal.ok ? normal.value.insecure : normal.error.code
  }

  test.each(['127.0.0.1', '127.8.9.10:3000', '127.1', '[::1]:8080', '[0:0::1]', 'localhost', 'Stats.LocalHost/path'])(
    'shows no warning for %s, which stays on this machine',
    (host) => {
      expect(insecure(`http://${host}`)).toBe(false)
      expect(insecure(`https://${host}`)).toBe(false)
    },
  )

  test.each(['127.8.9.10:3000', '[::1]:8080', 'localhost', 'stats.localhost/path'])(
    'is the default for %s, which was typed without http or https',
    (host) => {
      expect(normalizeAddress(host)).toMatchObject({ ok: true, value: { address: `http://${host}` } })
    },
  )

  test.each(['192.168.0.7', '128.0.0.1', '127.0.0.1.example', 'localhost.example', 'notlocalhost', '[::2]', '0.0.0.0'])(
    'shows a warning for %s, which is on a network',
    (host) => expect(insecure(`http://${host}`)).toBe(true),
  )
})

test.each([
  ['/', ''],
  ['/api/v1', ''],
  ['/api/v1/', ''],
  ['/api/v1/websites?page=2', ''],
  ['/analytics', '/analytics'],
  ['/analytics/', '/analytics'],
  ['/analytics/api/v1/', '/analytics'],
  ['/a%20b/c#top', '/a%20b/c'],
])(
  'finds the list of websites if the address of the service was pasted with %s after the host',
  async (pasted, path) => {
    const { origin, received } = await startHost(always(200, []))
    const typed = normalizeAddress(`  ${origin}${pasted} `)
    if (!typed.ok) throw new Error(typed.error.code)
    await expect(client({ address: typed.value.address }).list({})).resolves.toMatchObject({ outcome: 'applied' })
    expect(received.map(({ url }) => url)).toEqual([`${path}/api/v1/websites`])
  },
)
