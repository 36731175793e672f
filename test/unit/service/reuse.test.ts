import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { draft } from '../draft.ts'
import { always, client, dispatching, startHost, type Received } from './host.ts'

const answer = always(200, { id: 7, domain: 'a.example' })
const applied = { outcome: 'applied', value: { id: '7' } }

/** Answers the first request well, and calls `then` for later ones. */
function firstWell(then: (request: IncomingMessage, response: ServerResponse, n: number) => void) {
  let n = 0
  return (request: IncomingMessage, response: ServerResponse): void => {
    n += 1
    if (n === 1) answer(request, response)
    else then(request, response, n)
  }
}

describe('consecutive reads', () => {
  test('use one connection', async () => {
    const { service, received } = await startHost(answer)
    await service.get('7')
    await service.get('7')
    await service.get('7')
    expect(received).toHaveLength(3)
    expect(new Set(received.map(({ port }) => port)).size).toBe(1)
  })

  test('use one connection each when they overlap, and the next read reuses one of them', async () => {
    const { service, received } = await startHost(answer)
    await Promise.all([service.get('7'), service.get('7')])
    await service.get('7')
    const ports = received.map(({ port }) => port)
    expect(ports[0]).not.toBe(ports[1])
    expect(ports.slice(0, 2)).toContain(ports[2])
  })

  test('use a new connection each when the service closes the connection after each answer', async () => {
    const { service, received } = await startHost(always(200, { id: 7, domain: 'a.example' }, { Connection: 'close' }))
    await service.get('7')
    await expect(service.get('7')).resolves.toMatchObject(applied)
    expect(new Set(received.map(({ port }) => port)).size).toBe(2)
  })
})

/** Returns the client's ports, one for each connection that was used. */
const portsOf = (received: readonly Received[]) => new Set(received.map(({ port }) => port))

/** Replaces the wall clock until the test ends. Returns a function that moves the clock. */
function clockOf() {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  return { moveBy: (ms: number) => vi.setSystemTime(Date.now() + ms) }
}

describe('a write', () => {
  test('that changes or deletes reuses the connection of an answer that arrived just before', async () => {
    const { service, received } = await startHost(answer)
    await service.get('7')
    await expect(service.update('7', { email: true })).resolves.toMatchObject(applied)
    await service.update('7', { email: false })
    await service.delete('7')
    await service.get('7')
    expect(received).toHaveLength(5)
    expect(portsOf(received).size).toBe(1)
  })

  test('that creates always uses a new connection, which is closed after it', async () => {
    const { service, received, open } = await startHost(answer)
    await service.create(draft('a.example'))
    await expect.poll(open).toBe(0)
    await service.get('7')
    await expect(service.create(draft('a.example'))).resolves.toMatchObject(applied)
    expect(portsOf(received).size).toBe(3)
    expect(received.map(({ headers }) => headers['connection'])).toEqual(['close', 'keep-alive', 'close'])
  })

  test.each([
    ['201 ms after an answer uses a new connection', 201, 2],
    ['a moment after an answer uses a new connection, even if the clock was set back', -60_000, 2],
    ['right after an answer reuses its connection', 0, 1],
  ])('%s', async (_what, ms, connections) => {
    const clock = clockOf()
    const { service, received } = await startHost(answer)
    await service.get('7')
    clock.moveBy(ms)
    if (ms < 0) await wait(250)
    await expect(service.update('7', { email: true })).resolves.toMatchObject(applied)
    expect(portsOf(received).size).toBe(connections)
  })

  const lose: [how: string, code: string, lost: (request: IncomingMessage, response: ServerResponse) => void][] = [
    ['before its answer', 'interrupted', ({ socket }) => void socket.destroy()],
    [
      'in its answer',
      'interrupted',
      (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' })
        response.write('{', () => setImmediate(() => response.destroy()))
      },
    ],
    ['without any answer', 'timeout', () => undefined],
  ]
  test.each(lose)(
    'lost %s is in doubt and not repeated; for an hour each write uses a new connection',
    async (_how, code, lost) => {
      const clock = clockOf()
      const { service, received } = await startHost(
        firstWell((request, response, n) => (n === 2 ? lost(request, response) : answer(request, response))),
        { limits: { request: 1000 } },
      )
      await service.get('7')
      await expect(service.update('7', { email: true })).resolves.toMatchObject({ outcome: 'inDoubt', error: { code } })
      expect(received).toHaveLength(2)
      received.length = 0

      await service.get('7')
      await expect(service.update('7', { email: true })).resolves.toMatchObject(applied)
      await service.update('7', { email: true })
      expect(portsOf(received).size).toBe(3)
      // Each write asks the service to close its connection.
      expect(received.map(({ headers }) => headers['connection'])).toEqual(['keep-alive', 'close', 'close'])

      clock.moveBy(3_600_001)
      received.length = 0
      await service.get('7')
      await service.update('7', { email: true })
      expect(portsOf(received).size).toBe(1)
    },
  )

  test('is sent once, over another connection, when the idle one has just been closed', async () => {
    const { origin, received } = await startHost(answer)
    const dispatcher = dispatching()
    const service = client({ address: origin, dispatcher })
    await service.get('7')
    dispatcher.interrupt()
    await expect(service.update('7', { email: true })).resolves.toMatchObject(applied)
    expect(received.map(({ method }) => method)).toEqual(['GET', 'PUT'])
    expect(portsOf(received).size).toBe(2)
  })

  test('uses a new connection after the service has rejected a request, so that leftover bytes cannot be taken for the next answer', async () => {
    const { service, received } = await startHost((request, response) => {
      if (received.length !== 2) return answer(request, response)
      const { socket } = request
      response.writeHead(422, { 'Content-Type': 'application/json' }).end('{"message":"No.","status":422}')
      response.once('finish', () => setTimeout(() => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), 20))
    })
    await service.get('7')
    await expect(service.update('7', { email: true })).resolves.toMatchObject({ outcome: 'notApplied' })
    await expect(service.update('7', { email: true })).resolves.toMatchObject(applied)
    const ports = received.map(({ port }) => port)
    expect(ports[1]).toBe(ports[0])
    expect(ports[2]).not.toBe(ports[0])
  })

  test('uses a new connection when the service closes the connection after each answer', async () => {
    const { service, received } = await startHost(always(200, { id: 7, domain: 'a.example' }, { Connection: 'close' }))
    await service.update('7', { email: true })
    await expect(service.update('7', { email: true })).resolves.toMatchObject(applied)
    expect(portsOf(received).size).toBe(2)
  })

  test('can follow 39 others over the same connection without a warning of Node', async () => {
    const warned = vi.fn()
    process.on('warning', warned)
    onTestFinished(() => void process.off('warning', warned))
    const { service, received } = await startHost(answer)
    await service.get('7')
    for (let n = 0; n < 40; n++) await service.update('7', { email: true })
    expect(portsOf(received).size).toBe(1)
    await wait(0)
    expect(warned).not.toHaveBeenCalled()
  })
})

describe('an idle connection', () => {
  test('that is reused and breaks off during the answer fails the read, which is not repeated', async () => {
    const { service, received } = await startHost(
      firstWell((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' })
        response.write('{')
        setImmediate(() => response.destroy())
      }),
    )
    await service.get('7')
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'inDoubt' })
    expect(received).toHaveLength(2)
  })

  test('is not reused after the service has sent unrequested bytes', async () => {
    const { service, received } = await startHost((request, response) => {
      answer(request, response)
      const first = received.length === 1
      if (first) response.once('finish', () => setTimeout(() => request.socket.write(late), 20))
    })
    const body = '{"id":9,"domain":"other.example"}'
    const late = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`
    await service.get('7')
    await wait(100)
    await expect(service.get('7')).resolves.toMatchObject(applied)
    expect(new Set(received.map(({ port }) => port)).size).toBe(2)
  })

  test('is closed soon after its last answer', async () => {
    const { service, open } = await startHost(answer)
    await service.get('7')
    expect(await open()).toBe(1)
    await expect.poll(open, { timeout: 1000 }).toBe(0)
  })

  test.each([
    ['a sleep', (dispatcher: ReturnType<typeof dispatching>) => dispatcher.interrupt()],
    ['the end of the app', (dispatcher: ReturnType<typeof dispatching>) => dispatcher.destroy()],
  ])('is closed before %s', async (_what, end) => {
    const { origin, open } = await startHost(answer)
    const dispatcher = dispatching()
    await client({ address: origin, dispatcher }).get('7')
    expect(await open()).toBe(1)
    await end(dispatcher)
    await expect.poll(open).toBe(0)
  })
})
