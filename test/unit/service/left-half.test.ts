import { createServer } from 'node:net'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { client, dispatching, listening } from './host.ts'

const REQUEST_LIMIT_MS = 300

test('closes the connection of a write at its time limit if the answer came before the whole request was sent', async () => {
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => undefined)
    socket.write('HTTP/1.1 413 Too large\r\nContent-Length: 16\r\n\r\n{"message":"No"}')
  })
  onTestFinished(() => void server.close())
  const arrived = once(server, 'connection')
  const address = `http://127.0.0.1:${String(await listening(server))}`
  const service = client({ address, dispatcher: dispatching(), limits: { request: REQUEST_LIMIT_MS } })
  const lines = Array.from({ length: 10_000 }, (_, n) => String(n).padEnd(1000, 'x'))
  const outcome = await service.update('7', { exclude_ips: lines })
  expect(outcome).toMatchObject({ outcome: 'notApplied', error: { code: 'refused', status: 413 } })
  const [socket] = (await arrived) as [import('node:net').Socket]
  const ended = once(socket, 'close')
  await wait(2 * REQUEST_LIMIT_MS)
  // Reads the bytes that have arrived, until the connection ends.
  socket.resume()
  await ended
})

test.each([205, 204])('reads an answer with status %i as empty, even if a body follows', async (status) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () =>
      socket.end(`HTTP/1.1 ${String(status)} X\r\nContent-Length: 13\r\nConnection: close\r\n\r\n<p>Hello</p>\n`),
    )
  })
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${String(await listening(server))}`
  const service = client({ address, dispatcher: dispatching() })
  expect(await service.delete('7')).toMatchObject({ outcome: 'applied' })
})
