import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { createService } from '../../../src/main/service/client.ts'
import { createDispatcher, type ServiceDispatcher } from '../../../src/main/service/dispatcher.ts'
import { createSampleListener } from '../../../src/main/sample/listener.ts'
import { createSampleStore, type SampleStore } from '../../../src/main/sample/store.ts'
import { createBudget } from '../../../src/main/connectivity/budget.ts'
import { createReach, type ReachMonitor } from '../../../src/main/connectivity/reach.ts'
import type { Service } from '../../../src/main/service/port.ts'
import { fakeClock, type FakeClock } from '../outbox/clock.ts'
import { random } from '../outbox/rig.ts'

/** The program that answers at the service's address: the service itself, or something else. */
let answers: RequestListener
/** The requests that {@link elsewhere} received. `key`: true if the request contained the API key. */
let requests: { url: string; key: boolean }[]
let server: Server
let elsewhere: Server
let dispatcher: ServiceDispatcher
let clock: FakeClock
let reach: ReachMonitor
let service: Service
let store: SampleStore
/** Answers as the sample service. */
let real: RequestListener

async function listening(listener: RequestListener): Promise<Server> {
  const made = createServer(listener).listen(0, '127.0.0.1')
  await once(made, 'listening')
  return made
}
const addressOf = (of: Server) => `http://127.0.0.1:${String((of.address() as AddressInfo).port)}`

beforeEach(async () => {
  store = createSampleStore({ websites: 3 })
  real = createSampleListener(store, { key: 'a', rate: 0 })
  answers = real
  requests = []
  server = await listening((request, response) => answers(request, response))
  elsewhere = await listening((request, response) => {
    requests.push({ url: request.url ?? '', key: request.headers.authorization !== undefined })
    response.end('<html>Sign in</html>')
  })
  dispatcher = createDispatcher()
  clock = fakeClock()
  const budget = createBudget({ clock })
  const client = createService({ address: addressOf(server), key: () => new Secret('a'), dispatcher })
  reach = createReach({ service: budget.wrap(client, 'user'), budget, clock, random })
  service = reach.wrap(budget.wrap(client, 'replay'))
})

afterEach(async () => {
  reach.stop()
  await dispatcher.destroy()
  for (const each of [server, elsewhere]) {
    each.closeAllConnections()
    each.close()
  }
})

/** Other answers that may come from the service's address, with the error code of a probe. */
const portals: [string, () => RequestListener, string][] = [
  [
    'a sign-in page as a 200',
    () => (_, response) => void response.setHeader('content-type', 'text/html').end('<html>Sign in</html>'),
    'not-the-service',
  ],
  [
    'a redirect to a sign-in page',
    () => (_, response) => void response.writeHead(302, { location: `${addressOf(elsewhere)}/login` }).end(),
    'redirected',
  ],
  ['a 511 of the network', () => (_, response) => void response.writeHead(511).end('<html>'), 'unavailable'],
  [
    'the JSON of something else',
    () => (_, response) => void response.setHeader('content-type', 'application/json').end('{"hello":1}'),
    'not-the-service',
  ],
  [
    'a 404 page of another server',
    () => (_, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>'),
    'not-the-service',
  ],
]

describe.each(portals)('%s', (_what, portal, code) => {
  test('is recognized, and the edits are held', async () => {
    answers = portal()
    expect(await reach.probe()).toBe(false)
    expect(reach.gate()).toMatchObject({ open: false, reason: 'connection', error: { code } })
    expect(requests).toEqual([])
    answers = real
    expect(await reach.probe()).toBe(true)
    expect(reach.gate()).toEqual({ open: true })
  })

  test('changes no state if it answers a single request, and does not count as a rejected key', async () => {
    await service.account()
    answers = portal()
    expect((await service.get('1')).outcome).toBe('inDoubt')
    expect(reach.gate()).toEqual({ open: true })
  })
})

test('does not accept a server without TLS at an https address', async () => {
  answers = () => undefined
  const client = createService({
    address: addressOf(server).replace('http:', 'https:'),
    key: () => new Secret('a'),
    dispatcher,
  })
  const budget = createBudget({ clock })
  const secure = createReach({ service: client, budget, clock, random })
  expect(await secure.probe()).toBe(false)
  expect(secure.gate()).toMatchObject({ open: false, reason: 'connection' })
})
