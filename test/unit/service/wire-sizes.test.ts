import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import type { Writable } from 'node:stream'
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { always, client, listening, startHost } from './host.ts'

const record = { id: 7, domain: 'a.example' }
const packings = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const

describe('an answer', () => {
  const padded = (size: number): string => JSON.stringify({ ...record, note: 'x'.repeat(size) })

  test('just under 8 MiB is accepted', async () => {
    const { service } = await startHost(always(200, padded(8 * 1024 * 1024 - 200)))
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'applied' })
  })

  test('over 8 MiB is rejected', async () => {
    const { service } = await startHost(always(200, padded(8 * 1024 * 1024)))
    const tooLarge = { outcome: 'inDoubt', error: { code: 'too-large', status: 200 } }
    await expect(service.get('7')).resolves.toMatchObject(tooLarge)
  })

  test.each(packings)('over 8 MiB after decoding %s is rejected', async (encoding, pack) => {
    const bomb = pack(padded(64 * 1024 * 1024))
    const { service } = await startHost((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': encoding }).end(bomb)
    })
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'inDoubt', error: { code: 'too-large' } })
  })

  test.each([2, 4])('encoded %i times is rejected', async (times) => {
    let bomb: Buffer | string = padded(times === 2 ? 10 : 64 * 1024 * 1024)
    for (let n = 0; n < times; n++) bomb = gzipSync(bomb)
    const encoding = Array(times).fill('gzip').join(', ')
    const { service } = await startHost((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': encoding }).end(bomb)
    })
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'inDoubt', error: { code: 'garbled' } })
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
  ])('without an end, %s, is rejected at the limit, and its connection is closed', async (how, into) => {
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

  test.each(packings)('is decoded (%s) in chunks and with a byte order mark', async (encoding, pack) => {
    const packed = pack(`\ufeff${padded(10)}`)
    const { service } = await startHost((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': encoding })
      response.write(packed.subarray(0, 20))
      response.end(packed.subarray(20))
    })
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'applied', value: { id: '7' } })
  })

  test.each([
    [200, ''],
    [200, 'Content-Encoding: gzip\r\n'],
    [204, ''],
    [205, ''],
    [304, ''],
    [404, 'Content-Encoding: gzip\r\n'],
  ])('without a length (%i, %s) breaks nothing when the host closes the connection', async (status, header) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(`HTTP/1.1 ${String(status)} X\r\n${header}\r\n${'['.repeat(200_000)}`))
    })
    const service = client({ address: `http://127.0.0.1:${String(await listening(server))}` })
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.account()))
    expect(answers.filter(({ outcome }) => outcome === 'applied')).toEqual([])
    // Waits a moment: an error may occur while the connections are being closed.
    await new Promise((resolve) => setTimeout(resolve, 100))
  })

  test('over the limit does not turn a 429 into a failure in doubt', async () => {
    const { service } = await startHost(always(429, 'x'.repeat(100)), { limits: { body: 10 } })
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'notApplied', error: { code: 'rate-limited' } })
  })
})

const nested = (levels: number, open: string, close: string): string =>
  open.repeat(levels) + (open === '[' ? '' : '1') + close.repeat(levels)

describe.each([5_000, 100_000])('JSON %i levels deep', (levels) => {
  const deep = [nested(levels, '[', ']'), nested(levels, '{"a":', '}')]

  test.each(deep.flatMap((each) => [each, `{"data":${each}}`, `{"data":[${each}]}`, `{"id":${each}}`]))(
    'is rejected in the body of an answer (number of the body: %#)',
    async (body) => {
      const { service } = await startHost(always(200, body))
      const foreign = { outcome: 'inDoubt', error: { code: 'not-the-service' } }
      await expect(service.list({})).resolves.toMatchObject(foreign)
      await expect(service.get('7')).resolves.toMatchObject(foreign)
      await expect(service.account()).resolves.toMatchObject(foreign)
      await expect(service.delete('7')).resolves.toMatchObject(foreign)
    },
  )

  test('is read or rejected as the message of an error, without a crash', async () => {
    for (const body of deep.map((each) => `{"message":${each}}`)) {
      const { service } = await startHost(always(422, body))
      const answer = await service.update('7', { email: true })
      expect(answer.outcome === 'applied' ? '' : answer.error.code).toMatch(/^(invalid|not-the-service)$/)
    }
  })
})
