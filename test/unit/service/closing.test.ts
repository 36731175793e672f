import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Route } from '../../../src/main/service/proxy.ts'
import { always, client, dispatching, startHost } from './host.ts'
import { draft } from '../draft.ts'
import { makeCertificates } from './certificates.ts'
import { heldRelay, silentServer } from './proxies.ts'

const { authority, secureHost } = makeCertificates()

const closed = { outcome: 'notApplied', error: { code: 'no-connection', message: '' }, meta: {} }
const write = { email: true } as const

test('a request is sent only once the app lets requests begin', async () => {
  let begin = (): void => undefined
  const mayBegin = new Promise<void>((resolve) => (begin = resolve))
  const { origin, received } = await startHost(always(200, { id: 7, domain: 'a.example' }))
  const pending = client({ address: origin, dispatcher: dispatching({ mayBegin }) }).update('7', write)
  await client({ address: origin }).list({})
  expect(received.map(({ method }) => method)).toEqual(['GET'])
  begin()
  await expect(pending).resolves.toMatchObject({ outcome: 'applied' })
})

describe('a closed client', () => {
  test('ends a connecting request at once and sends nothing over its connection', async () => {
    const silent = await silentServer()
    const dispatcher = dispatching({ connectTimeout: 300 })
    const service = client({ address: `https://127.0.0.1:${String(silent.port)}`, dispatcher })
    const pending = service.update('7', write)
    await expect.poll(silent.open).toBe(1)
    service.close()
    await expect(pending).resolves.toEqual(closed)
    await expect.poll(silent.open).toBe(0)
  })

  test('does not send a request that was waiting for the proxy settings', async () => {
    const { origin, received } = await startHost(always(200, {}))
    let say: (ways: Route[]) => void = () => undefined
    const dispatcher = dispatching({ routesTo: () => new Promise((resolve) => (say = resolve)) })
    const service = client({ address: origin, dispatcher })
    const pending = service.update('7', write)
    service.close()
    await expect(pending).resolves.toEqual(closed)
    say([{ kind: 'direct' }])
    // This request takes long enough for the closed client to send its own, if it did.
    await client({ address: origin }).list({})
    expect(received.map(({ method }) => method)).toEqual(['GET'])
  })

  test('ends a request that still waits until the app has started, and never sends it', async () => {
    let begin = (): void => undefined
    const mayBegin = new Promise<void>((resolve) => (begin = resolve))
    const { origin, received } = await startHost(always(200, {}))
    const service = client({ address: origin, dispatcher: dispatching({ mayBegin }) })
    const pending = service.update('7', write)
    service.close()
    await expect(pending).resolves.toEqual(closed)
    begin()
    await client({ address: origin }).list({})
    expect(received.map(({ method }) => method)).toEqual(['GET'])
  })

  test('does not send a request if the client is closed in the tick in which the bytes would be written', async () => {
    const { origin, received } = await startHost(always(200, {}))
    const service = client({ address: origin })
    // undici writes the request in the same tick in which it announces the connection.
    const close = (): void => service.close()
    subscribe('undici:client:connected', close)
    onTestFinished(() => void unsubscribe('undici:client:connected', close))
    await expect(service.update('7', write)).resolves.toEqual(closed)
    unsubscribe('undici:client:connected', close)
    await client({ address: origin }).list({})
    expect(received.map(({ method }) => method)).toEqual(['GET'])
  })

  test('still receives the answer to a sent request', async () => {
    let answer = () => {}
    const { service, received } = await startHost((request, response) => {
      answer = () => always(200, { id: 7, domain: 'a.example' })(request, response)
    })
    const pending = service.update('7', write)
    await expect.poll(() => received.length).toBe(1)
    service.close()
    answer()
    await expect(pending).resolves.toMatchObject({ outcome: 'applied' })
  })

  test('begins no request, while another client of the same dispatcher continues', async () => {
    const { origin, received } = await startHost(always(200, []))
    const dispatcher = dispatching()
    const service = client({ address: origin, dispatcher })
    service.close()
    await expect(service.update('7', write)).resolves.toEqual(closed)
    expect(received).toEqual([])
    await expect(client({ address: origin, dispatcher }).list({})).resolves.toMatchObject({ outcome: 'applied' })
  })
})

describe('before the computer sleeps', () => {
  test('ends connecting requests as never sent and sent ones as in doubt; later requests work', async () => {
    const silent = await silentServer()
    const { origin, received } = await startHost(always(200, []))
    const dispatcher = dispatching({ connectTimeout: 300 })
    const connecting = client({ address: `https://127.0.0.1:${String(silent.port)}`, dispatcher }).update('7', write)
    const sent = client({ address: `http://127.0.0.1:${String(silent.port)}`, dispatcher }).update('7', write)
    await expect.poll(silent.bytes).toContain('PUT /api/v1/websites/7')
    dispatcher.interrupt()
    await expect(connecting).resolves.toEqual(closed)
    await expect(sent).resolves.toMatchObject({ outcome: 'inDoubt', error: { code: 'interrupted' } })
    await expect.poll(silent.open).toBe(0)
    await expect(client({ address: origin, dispatcher }).list({})).resolves.toMatchObject({ outcome: 'applied' })
    expect(received).toHaveLength(1)
  })
})

describe('when the app ends', () => {
  test('ends connecting requests as never sent and sent ones as in doubt', async () => {
    const silent = await silentServer()
    const dispatcher = dispatching()
    const connecting = client({ address: `https://127.0.0.1:${String(silent.port)}`, dispatcher }).update('7', write)
    const sent = client({ address: `http://127.0.0.1:${String(silent.port)}`, dispatcher }).update('7', write)
    await expect.poll(silent.bytes).toContain('PUT /api/v1/websites/7')
    await dispatcher.destroy()
    await expect(connecting).resolves.toEqual(closed)
    await expect(sent).resolves.toMatchObject({ outcome: 'inDoubt', error: { code: 'interrupted' } })
  })

  test('begins no further request, not even after the computer has slept', async () => {
    const { origin, received } = await startHost(always(200, []))
    const dispatcher = dispatching()
    await dispatcher.destroy()
    for (const wakes of [() => {}, () => dispatcher.interrupt()]) {
      wakes()
      await expect(client({ address: origin, dispatcher }).update('7', write)).resolves.toEqual(closed)
    }
    expect(received).toEqual([])
  })
})

test('ends a request that is still connecting at its time limit as never sent', async () => {
  const silent = await silentServer()
  const dispatcher = dispatching({ connectTimeout: 300 })
  const service = client({ address: `https://127.0.0.1:${String(silent.port)}`, dispatcher, limits: { request: 100 } })
  await expect(service.update('7', write)).resolves.toMatchObject({
    outcome: 'notApplied',
    error: { code: 'unreachable' },
  })
  await expect.poll(silent.open).toBe(0)
})

test('closes the connection of a request that was given up while connecting, and sends no later write over it', async () => {
  const { port, requests } = await secureHost()
  const relay = await heldRelay(port)
  const dispatcher = dispatching({ authorities: [authority] })
  const address = `https://127.0.0.1:${String(relay.port)}`
  const service = client({ address, dispatcher })
  const pending = service.create(draft('a.example'))
  await expect.poll(relay.connections).toBe(1)
  service.close()
  await expect(pending).resolves.toEqual(closed)
  relay.letThrough()
  await expect.poll(relay.open).toBe(0)
  await expect(client({ address, dispatcher }).create(draft('a.example'))).resolves.toMatchObject({
    outcome: 'applied',
  })
  expect([relay.connections(), requests.length]).toEqual([2, 1])
})
