import { createServer, type Socket } from 'node:net'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { ServiceOptions } from '../../../src/main/service/client.ts'
import { always, client, dispatching, listening, startHost } from './host.ts'

const record = { id: 7, domain: 'a.example' }
const interrupted = { outcome: 'inDoubt', error: { code: 'interrupted' } }
const timeout = { outcome: 'inDoubt', error: { code: 'timeout' } }
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

/** Starts a host that answers every request with these bytes, and then closes, resets or keeps the connection. */
async function rawHost(bytes: string, then: 'close' | 'reset' | 'silence', options: Partial<ServiceOptions> = {}) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(bytes, () => {
        if (then === 'close') socket.end()
        if (then === 'reset') socket.resetAndDestroy()
      })
    })
  })
  return client({ address: `http://127.0.0.1:${String(await listening(server))}`, ...options })
}

describe('a write is never sent', () => {
  const unreachable = { outcome: 'notApplied', error: { code: 'unreachable', message: '' }, meta: {} }

  test('when nothing listens', async () => {
    const server = createServer()
    const port = await listening(server)
    await new Promise((resolve) => server.close(resolve))
    const service = client({ address: `http://127.0.0.1:${String(port)}` })
    await expect(service.update('7', { email: true })).resolves.toEqual(unreachable)
  })

  test.each(['http', 'https'])('when the name cannot be resolved, over %s', async (scheme) => {
    const service = client({ address: `${scheme}://nowhere.invalid` })
    const error = { code: 'name-lookup', message: '' }
    await expect(service.update('7', { email: true })).resolves.toEqual({ ...unreachable, error })
  })

  test('when connecting takes too long', async () => {
    // The host accepts the connection, but never answers the TLS handshake.
    const port = await listening(createServer((socket) => void socket.on('error', () => undefined)))
    const dispatcher = dispatching({ connectTimeout: 100 })
    const service = client({ address: `https://127.0.0.1:${String(port)}`, dispatcher })
    await expect(service.update('7', { email: true })).resolves.toEqual(unreachable)
  })

  test('when the connection is reset while connecting', async () => {
    const port = await listening(createServer((socket) => void socket.once('data', () => socket.resetAndDestroy())))
    const service = client({ address: `https://127.0.0.1:${String(port)}` })
    await expect(service.update('7', { email: true })).resolves.toEqual(unreachable)
  })

  test('when the host does not speak TLS', async () => {
    const { origin, received } = await startHost(always(200, record))
    const service = client({ address: origin.replace('http:', 'https:') })
    const error = { code: 'tls', message: '' }
    await expect(service.update('7', { email: true })).resolves.toEqual({ ...unreachable, error })
    expect(received).toEqual([])
  })
})

describe('a write is in doubt', () => {
  const body = '{"id":7,"domain":"a.example"}'
  const length = `Content-Length: ${String(body.length)}\r\n\r\n`

  test.each([
    ['before a byte of the answer', '', 'close'],
    ['in the status line', 'HTTP/1.1 2', 'close'],
    ['in the headers', HEAD, 'reset'],
    ['after the headers', HEAD + length, 'close'],
    ['in the body', HEAD + length + body.slice(0, 9), 'close'],
    ['before the last chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1d\r\n${body}\r\n`, 'close'],
    ['before the last chunk, with a reset', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1d\r\n${body}\r\n`, 'reset'],
    ['before the declared length', `${HEAD}Content-Length: 99\r\n\r\n${body}`, 'close'],
  ] as const)('when the connection ends %s', async (_where, bytes, then) => {
    const service = await rawHost(bytes, then)
    await expect(service.update('7', { email: true })).resolves.toMatchObject(interrupted)
  })

  test.each([
    ['a status that does not exist', 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'],
    ['a 407 of a proxy', 'HTTP/1.1 407 Login\r\nContent-Length: 0\r\n\r\n'],
    ['an unrequested 100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${HEAD}${length}${body}`],
    ['two lengths', `${HEAD}Content-Length: 20\r\n${length}${body}`],
    ['a length that cuts the JSON', `${HEAD}Content-Length: 20\r\n\r\n${body}`],
  ])('after an answer with %s', async (_name, bytes) => {
    const service = await rawHost(bytes, 'close')
    await expect(service.update('7', { email: true })).resolves.toMatchObject({ outcome: 'inDoubt' })
  })

  test.each([
    ['something that is not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a body that is declared as gzip and is not', `${HEAD}Content-Encoding: gzip\r\n${length}${body}`],
    ['a body that is declared as deflate and is not', `${HEAD}Content-Encoding: deflate\r\n${length}${body}`],
    ['a body that is declared as Brotli and is not', `${HEAD}Content-Encoding: br\r\n${length}${body}`],
    ['a length and chunks', `${HEAD}Transfer-Encoding: chunked\r\n${length}0\r\n\r\n`],
    ['a chunk with an invalid length', `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`],
    ['headers without end', HEAD + `X-More: ${'x'.repeat(100)}\r\n`.repeat(2000)],
  ])('with the error code “garbled” after %s', async (_name, bytes) => {
    const service = await rawHost(bytes, 'close')
    const garbled = { outcome: 'inDoubt', error: { code: 'garbled' } }
    await expect(service.update('7', { email: true })).resolves.toMatchObject(garbled)
  })

  test.each([
    ['no answer', ''],
    ['half the headers', HEAD],
    ['half the body', HEAD + length + body.slice(0, 9)],
  ])('after %s within the time limit', async (_name, bytes) => {
    const service = await rawHost(bytes, 'silence', { limits: { request: 200 } })
    await expect(service.update('7', { email: true })).resolves.toMatchObject(timeout)
  })
})

/** Starts a host that sends one byte at a time, without end. */
async function slowHost(start: string) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(start)
      const drip = setInterval(() => socket.write('1'), 10)
      socket.once('close', () => clearInterval(drip))
    })
  })
  return client({ address: `http://127.0.0.1:${String(await listening(server))}`, limits: { request: 300 } })
}

test.each([
  ['its status line', 'HTTP/1.1 200 '],
  ['a header', `${HEAD}X-More: `],
  ['a body of a given length', `${HEAD}Content-Length: 100000\r\n\r\n`],
  ['a body without a length', `${HEAD}\r\n`],
  ['the length of a chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\n0;`],
])('gives up a host that never ends %s at the time limit', async (_what, start) => {
  const service = await slowHost(start)
  await expect(service.update('7', { email: true })).resolves.toMatchObject(timeout)
})

test.each([
  ['of a given length', (size: number) => `Content-Length: ${String(size)}\r\n\r\n`, (byte: Buffer) => byte],
  [
    'in chunks of one byte',
    () => 'Transfer-Encoding: chunked\r\n\r\n',
    (byte: Buffer) => Buffer.concat([Buffer.from('1\r\n'), byte, Buffer.from('\r\n')]),
  ],
])('reads a body %s that arrives byte by byte, with characters of several bytes', async (_what, headers, wrap) => {
  const body = Buffer.from('{"id":7,"domain":"bücher.example","note":"東京 🦉"}')
  const server = createServer((socket) => {
    socket.setNoDelay(true).on('error', () => undefined)
    socket.once('data', () => void drip(socket))
  })
  async function drip(socket: Socket): Promise<void> {
    socket.write(HEAD + headers(body.length))
    for (const byte of body) {
      socket.write(wrap(Buffer.of(byte)))
      await othersTurn()
    }
    socket.end(headers(0).includes('chunked') ? '0\r\n\r\n' : '')
  }
  const service = client({ address: `http://127.0.0.1:${String(await listening(server))}` })
  const value = { domain: 'bücher.example', extra: { note: '東京 🦉' } }
  await expect(service.get('7')).resolves.toMatchObject({ outcome: 'applied', value })
})

test('a write is in doubt after a host resets the connection before it reads the request', async () => {
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => undefined)
    setTimeout(() => socket.resetAndDestroy(), 50)
  })
  const service = client({ address: `http://127.0.0.1:${String(await listening(server))}` })
  await expect(service.update('7', { email: true })).resolves.toMatchObject(interrupted)
})

test('a write is in doubt after a host hangs up before it has read all of the request', async () => {
  let bytesReceived = 0
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      bytesReceived += bytes.length
      if (bytesReceived > 100_000) socket.resetAndDestroy()
    })
  })
  const service = client({ address: `http://127.0.0.1:${String(await listening(server))}` })
  const changes = { exclude_params: Array.from({ length: 5000 }, () => 'x'.repeat(1000)) }
  await expect(service.update('7', changes)).resolves.toMatchObject(interrupted)
  expect(bytesReceived).toBeLessThan(5_000_000)
})

test.each([
  ['hints before it', `HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n${HEAD}Content-Length: 29\r\n\r\n`],
  [
    'two hints before it',
    `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n${HEAD}Content-Length: 29\r\n\r\n`,
  ],
  ['an older version', 'HTTP/1.0 200 OK\r\n\r\n'],
  ['a header with a character outside ASCII', `${HEAD}X-Place: caf\u00e9\r\nContent-Length: 29\r\n\r\n`],
  ['the encoding “identity”', `${HEAD}Content-Encoding: identity\r\nContent-Length: 29\r\n\r\n`],
])('reads an answer with %s', async (_what, head) => {
  const service = await rawHost(`${head}{"id":7,"domain":"a.example"}`, 'close')
  await expect(service.get('7')).resolves.toMatchObject({ outcome: 'applied', value: { id: '7' } })
})

test.each(['gzip', 'deflate', 'br'])('reads an empty body that is declared as %s', async (packing) => {
  const service = await rawHost(`HTTP/1.1 200 OK\r\nContent-Encoding: ${packing}\r\nContent-Length: 0\r\n\r\n`, 'close')
  await expect(service.delete('7')).resolves.toMatchObject({ outcome: 'applied', value: null })
})

test('a write is in doubt at once when a host switches the protocol', async () => {
  const service = await rawHost(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
    'silence',
  )
  await expect(service.update('7', { email: true })).resolves.toMatchObject(interrupted)
})

test('ignores bytes after the declared length', async () => {
  const body = '{"id":7,"domain":"a.example"}'
  const service = await rawHost(`${HEAD}Content-Length: ${String(body.length)}\r\n\r\n${body}{"id":8}`, 'close')
  await expect(service.get('7')).resolves.toMatchObject({ outcome: 'applied', value: { id: '7' } })
})
