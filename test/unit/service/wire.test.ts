import type { ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ServiceOptions } from '../../../src/main/service/client.ts'
import { always, client, dispatching, listening, startHost } from './host.ts'

const record = { id: 7, domain: 'a.example' }
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

/** A host that says these bytes to whatever it hears, and then closes or goes silent. */
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

describe('nothing was sent', () => {
  const unreachable = { outcome: 'notApplied', error: { code: 'unreachable', message: '' }, meta: {} }

  test('nobody listens', async () => {
    const server = createServer()
    const port = await listening(server)
    await new Promise((resolve) => server.close(resolve))
    const service = client({ address: `http://127.0.0.1:${String(port)}` })
    await expect(service.update('7', { email: true })).resolves.toEqual(unreachable)
  })

  test.each(['http', 'https'])('the name leads nowhere, over %s', async (scheme) => {
    const service = client({ address: `${scheme}://nowhere.invalid` })
    const error = { code: 'name-lookup', message: '' }
    await expect(service.update('7', { email: true })).resolves.toEqual({ ...unreachable, error })
  })

  test.each([1, 25, 6667])('port %i is one that web requests are never sent to', async (port) => {
    const service = client({ address: `http://127.0.0.1:${String(port)}` })
    const error = { code: 'bad-port', message: '' }
    await expect(service.update('7', { email: true })).resolves.toEqual({ ...unreachable, error })
  })

  test('the connection takes too long to come about', async () => {
    // It accepts the connection and never answers the TLS greeting.
    const port = await listening(createServer((socket) => void socket.on('error', () => undefined)))
    const dispatcher = dispatching({ connectTimeout: 100 })
    const service = client({ address: `https://127.0.0.1:${String(port)}`, dispatcher })
    await expect(service.update('7', { email: true })).resolves.toEqual(unreachable)
  })

  test('the connection is reset before it has come about', async () => {
    const port = await listening(createServer((socket) => void socket.once('data', () => socket.resetAndDestroy())))
    const service = client({ address: `https://127.0.0.1:${String(port)}` })
    await expect(service.update('7', { email: true })).resolves.toEqual(unreachable)
  })

  test('what listens does not speak TLS', async () => {
    const { origin, received } = await startHost(always(200, record))
    const service = client({ address: origin.replace('http:', 'https:') })
    const error = { code: 'tls', message: '' }
    await expect(service.update('7', { email: true })).resolves.toEqual({ ...unreachable, error })
    expect(received).toEqual([])
  })
})

describe('it was sent, and nobody knows what became of it', () => {
  const body = '{"id":7,"domain":"a.example"}'
  const length = `Content-Length: ${String(body.length)}\r\n\r\n`

  test.each([
    ['before a byte of the answer', '', 'close'],
    ['before a byte of the answer, with a reset', '', 'reset'],
    ['in the status line', 'HTTP/1.1 2', 'close'],
    ['in the headers', HEAD, 'reset'],
    ['after the headers', HEAD + length, 'close'],
    ['in the body', HEAD + length + body.slice(0, 9), 'close'],
    ['in the body, with a reset', HEAD + length + body.slice(0, 9), 'reset'],
    ['in a chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1d\r\n${body.slice(0, 9)}`, 'close'],
    ['before the last chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1d\r\n${body}\r\n`, 'close'],
    ['in the status line, with a reset', 'HTTP/1.1 2', 'reset'],
    ['after the headers, with a reset', HEAD + length, 'reset'],
    ['before the last chunk, with a reset', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1d\r\n${body}\r\n`, 'reset'],
    ['short of the length that was told', `${HEAD}Content-Length: 99\r\n\r\n${body}`, 'close'],
  ] as const)('cut %s', async (_where, bytes, then) => {
    const service = await rawHost(bytes, then)
    const inDoubt = { outcome: 'inDoubt', error: { code: 'interrupted' } }
    await expect(service.update('7', { email: true })).resolves.toMatchObject(inDoubt)
  })

  test.each([
    ['a status that does not exist', 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'],
    ['a demand by a proxy', 'HTTP/1.1 407 Login\r\nContent-Length: 0\r\n\r\n'],
    ['two lengths', `${HEAD}Content-Length: 20\r\n${length}${body}`],
    ['a length that cuts the JSON', `${HEAD}Content-Length: 20\r\n\r\n${body}`],
  ])('%s', async (_name, bytes) => {
    const service = await rawHost(bytes, 'close')
    await expect(service.update('7', { email: true })).resolves.toMatchObject({ outcome: 'inDoubt' })
  })

  test.each([
    ['something that is not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['gzip that is none', `${HEAD}Content-Encoding: gzip\r\n${length}${body}`],
    ['deflate that is none', `${HEAD}Content-Encoding: deflate\r\n${length}${body}`],
    ['Brotli that is none', `${HEAD}Content-Encoding: br\r\n${length}${body}`],
    ['a length and chunks', `${HEAD}Transfer-Encoding: chunked\r\n${length}0\r\n\r\n`],
    ['a chunk of no length', `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`],
    ['headers without end', HEAD + `X-More: ${'x'.repeat(100)}\r\n`.repeat(2000)],
  ])('garbled: %s', async (_name, bytes) => {
    const service = await rawHost(bytes, 'close')
    const garbled = { outcome: 'inDoubt', error: { code: 'garbled' } }
    await expect(service.update('7', { email: true })).resolves.toMatchObject(garbled)
  })

  test.each([
    ['no answer', ''],
    ['half the headers', HEAD],
    ['half the body', HEAD + length + body.slice(0, 9)],
  ])('%s within the time limit', async (_name, bytes) => {
    const service = await rawHost(bytes, 'silence', { limits: { request: 200 } })
    await expect(service.update('7', { email: true })).resolves.toMatchObject({
      outcome: 'inDoubt',
      error: { code: 'timeout' },
    })
  })
})

/** A host that goes on and on, a byte at a time, and never comes to an end. */
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
])('a host that never comes to the end of %s is given up at the time limit', async (_what, start) => {
  const service = await slowHost(start)
  const timeout = { outcome: 'inDoubt', error: { code: 'timeout' } }
  await expect(service.update('7', { email: true })).resolves.toMatchObject(timeout)
})

test.each([
  ['of a given length', (size: number) => `Content-Length: ${String(size)}\r\n\r\n`, (byte: Buffer) => byte],
  [
    'in chunks of one byte',
    () => 'Transfer-Encoding: chunked\r\n\r\n',
    (byte: Buffer) => Buffer.concat([Buffer.from('1\r\n'), byte, Buffer.from('\r\n')]),
  ],
])('a body %s that comes byte by byte is read whole, its letters too', async (_what, headers, wrap) => {
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

test('a host that hangs up in the middle of a long request: in doubt', async () => {
  let heard = 0
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      heard += bytes.length
      if (heard > 100_000) socket.resetAndDestroy()
    })
  })
  const service = client({ address: `http://127.0.0.1:${String(await listening(server))}` })
  const changes = { exclude_params: Array.from({ length: 5000 }, () => 'x'.repeat(1000)) }
  const inDoubt = { outcome: 'inDoubt', error: { code: 'interrupted' } }
  await expect(service.update('7', changes)).resolves.toMatchObject(inDoubt)
  expect(heard).toBeLessThan(5_000_000)
})

test('more than the length that was told: what is beyond it is nobody’s', async () => {
  const body = '{"id":7,"domain":"a.example"}'
  const service = await rawHost(`${HEAD}Content-Length: ${String(body.length)}\r\n\r\n${body}{"id":8}`, 'close')
  await expect(service.get('7')).resolves.toMatchObject({ outcome: 'applied', value: { id: '7' } })
})

describe('answers of every size', () => {
  const padded = (size: number): string => JSON.stringify({ ...record, note: 'x'.repeat(size) })

  test('one of nearly 8 MiB is read', async () => {
    const { service } = await startHost(always(200, padded(8 * 1024 * 1024 - 200)))
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'applied' })
  })

  test('a larger one is not', async () => {
    const { service } = await startHost(always(200, padded(8 * 1024 * 1024)))
    const tooLarge = { outcome: 'inDoubt', error: { code: 'too-large', status: 200 } }
    await expect(service.get('7')).resolves.toMatchObject(tooLarge)
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['gzip, gzip', (text: string) => gzipSync(gzipSync(text))],
  ])('nor a small one that unpacks to a large one: %s', async (encoding, pack) => {
    const bomb = pack(padded(64 * 1024 * 1024))
    const { service } = await startHost((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': encoding }).end(bomb)
    })
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'inDoubt', error: { code: 'too-large' } })
  })

  test.each([
    ['as it is', (response: ServerResponse): Writable => response],
    [
      'packed',
      (response: ServerResponse): Writable => {
        const packed = createGzip({ level: 1 })
        packed.on('error', () => undefined).pipe(response)
        return packed
      },
    ],
  ])('one that never ends, %s, is given up when it is too large, and its connection ends', async (how, into) => {
    const ended = Promise.withResolvers<void>()
    const { service } = await startHost(
      (_request, response) => {
        response.writeHead(200, how === 'packed' ? { 'Content-Encoding': 'gzip' } : {})
        const body = into(response)
        const more = (): void => void (response.destroyed || body.write('x'.repeat(100_000), () => setImmediate(more)))
        response.once('close', ended.resolve)
        more()
      },
      { limits: { request: 25_000 } },
    )
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'inDoubt', error: { code: 'too-large' } })
    await ended.promise
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('packed (%s), in chunks, with a byte order mark', async (encoding, pack) => {
    const packed = pack(`\ufeff${padded(10)}`)
    const { service } = await startHost((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': encoding })
      response.write(packed.subarray(0, 20))
      response.end(packed.subarray(20))
    })
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'applied', value: { id: '7' } })
  })

  test('an endless refusal is still a refusal to wait for', async () => {
    const { service } = await startHost(always(429, 'x'.repeat(100)), { limits: { body: 10 } })
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'notApplied', error: { code: 'rate-limited' } })
  })
})

/** JSON of arrays or records within one another. */
const nested = (levels: number, open: string, close: string): string =>
  open.repeat(levels) + (open === '[' ? '' : '1') + close.repeat(levels)

describe.each([5_000, 100_000])('%i levels deep', (levels) => {
  const deep = [nested(levels, '[', ']'), nested(levels, '{"a":', '}')]

  test.each(deep.flatMap((each) => [each, `{"data":${each}}`, `{"data":[${each}]}`, `{"id":${each}}`]))(
    'an answer is not the service’s: %#',
    async (body) => {
      const { service } = await startHost(always(200, body))
      const foreign = { outcome: 'inDoubt', error: { code: 'not-the-service' } }
      await expect(service.list({})).resolves.toMatchObject(foreign)
      await expect(service.get('7')).resolves.toMatchObject(foreign)
      await expect(service.account()).resolves.toMatchObject(foreign)
      await expect(service.delete('7')).resolves.toMatchObject(foreign)
    },
  )

  test('a refusal is one all the same, or nobody’s', async () => {
    for (const body of deep.map((each) => `{"message":${each}}`)) {
      const { service } = await startHost(always(422, body))
      const answer = await service.update('7', { email: true })
      expect(answer.outcome === 'applied' ? '' : answer.error.code).toMatch(/^(invalid|not-the-service)$/)
    }
  })
})
