import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { always, client, dispatching, startHost } from './host.ts'

const answer = always(200, { id: 7, domain: 'a.example' })
const applied = { outcome: 'applied', value: { id: '7' } }

/** Answers the first request well, and does `then` with those after it. */
function firstWell(then: (request: IncomingMessage, response: ServerResponse, n: number) => void) {
  let n = 0
  return (request: IncomingMessage, response: ServerResponse): void => {
    n += 1
    if (n === 1) answer(request, response)
    else then(request, response, n)
  }
}

describe('reads that follow each other', () => {
  test('go over one connection', async () => {
    const { service, received } = await startHost(answer)
    await service.get('7')
    await service.get('7')
    await service.get('7')
    expect(received).toHaveLength(3)
    expect(new Set(received.map(({ port }) => port)).size).toBe(1)
  })

  test('at the same time have one each, and one of them is kept', async () => {
    const { service, received } = await startHost(answer)
    await Promise.all([service.get('7'), service.get('7')])
    await service.get('7')
    const ports = received.map(({ port }) => port)
    expect(ports[0]).not.toBe(ports[1])
    expect(ports.slice(0, 2)).toContain(ports[2])
  })

  test('where the service closes each, have one each', async () => {
    const { service, received } = await startHost(always(200, { id: 7, domain: 'a.example' }, { Connection: 'close' }))
    await service.get('7')
    await expect(service.get('7')).resolves.toMatchObject(applied)
    expect(new Set(received.map(({ port }) => port)).size).toBe(2)
  })
})

describe('a kept connection', () => {
  test('that died unnoticed: the read is asked again, over another', async () => {
    const { service, received } = await startHost(
      firstWell((request, response, n) => (n === 2 ? request.socket.destroy() : answer(request, response))),
    )
    await service.get('7')
    await expect(service.get('7')).resolves.toMatchObject(applied)
    expect(new Set(received.map(({ port }) => port)).size).toBe(2)
  })

  test('that died with the service: nothing was sent, as where none was kept', async () => {
    const { service, close } = await startHost(
      firstWell(({ socket }) => {
        close()
        socket.destroy()
      }),
    )
    await service.get('7')
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'notApplied', error: { code: 'unreachable' } })
  })

  test('whose read breaks off in the middle of its answer is not asked again', async () => {
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

  test('that the service speaks over unasked is no longer used: nothing passes for an answer', async () => {
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

  test('is closed once nothing has been read for four seconds', { timeout: 20_000 }, async () => {
    const { service, open } = await startHost(answer)
    await service.get('7')
    expect(await open()).toBe(1)
    await expect.poll(open, { timeout: 15_000 }).toBe(0)
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
