import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { draft } from '../draft.ts'
import { makeCertificates } from './certificates.ts'
import { always, startHost } from './host.ts'
import { forgetfulRelay, startProxy, startSocks, clientsThrough } from './proxies.ts'

const { authority, secureHost } = makeCertificates()
const { through } = clientsThrough(authority)

const applied = { outcome: 'applied', value: { id: '7' } }
const plainHost = () => startHost(always(200, { id: 7, domain: 'a.example' }))

/** Ways through a proxy that drops idle connections. The function returns a client that uses this way. */
const proxies: [how: string, client: () => Promise<ReturnType<typeof through>>][] = [
  [
    'in front of a plain service',
    async () => {
      const port = await forgetfulRelay(Number(new URL((await plainHost()).origin).port))
      return through(`http://127.0.0.1:${String(port)}`, 'DIRECT')
    },
  ],
  [
    'in front of a secure service',
    async () => {
      const port = await forgetfulRelay((await secureHost()).port)
      return through(`https://127.0.0.1:${String(port)}`, 'DIRECT')
    },
  ],
  [
    'that passes on plain requests',
    async () => {
      const port = await forgetfulRelay((await startProxy()).port)
      return through((await plainHost()).origin, `PROXY 127.0.0.1:${String(port)}`)
    },
  ],
  [
    'with a tunnel',
    async () => {
      const port = await forgetfulRelay((await startProxy()).port)
      return through((await secureHost()).address, `PROXY 127.0.0.1:${String(port)}`)
    },
  ],
  [
    'of SOCKS 5',
    async () => {
      const port = await forgetfulRelay((await startSocks()).port)
      return through((await secureHost()).address, `SOCKS5 127.0.0.1:${String(port)}`)
    },
  ],
]

/** Sends a read and two writes with each client, and waits for different times between them. */
async function askWithPauses(how: string, { service }: ReturnType<typeof through>): Promise<void> {
  for (const idle of [0, 50, 195, 205, 295, 305, 500]) {
    const at = `${how}, idle for ${String(idle)} ms`
    expect(await service.get('7'), at).toMatchObject(applied)
    await wait(idle)
    expect(await service.update('7', { email: true }), at).toMatchObject(applied)
    await wait(idle)
    expect(await service.create(draft('a.example')), at).toMatchObject(applied)
  }
}

test('leaves no edit in doubt behind any proxy that silently drops idle connections after 300 ms', async () => {
  const started = []
  for (const [how, start] of proxies) started.push([how, await start()] as const)
  // In parallel, because the clients mostly wait.
  await Promise.all(started.map(([how, client]) => askWithPauses(how, client)))
})
