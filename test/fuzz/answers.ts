import fc from 'fast-check'
import { gzipSync } from 'node:zlib'
import { accountSchema } from '../../src/shared/account.ts'
import { websiteRecordSchema } from '../../src/shared/website.ts'
import { fitting } from './fitting.ts'
import { corrupted } from './hostile.ts'

/** Any answer of a host, or of a proxy or another machine in between. */
export interface Answered {
  status: number
  headers: [string, string][]
  text: string
}

const json = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '{}' // a bigint, or a cycle
  }
}

/** Texts that fit the requests: the id and the domain of the website. */
const websiteTexts = ['1', 'a.example']

const record = fc
  .oneof(fitting(websiteRecordSchema, websiteTexts), fitting(accountSchema, websiteTexts))
  .map((made) => {
    // The service sends unknown fields next to the known ones.
    const { extra, ...known } = made as Record<string, unknown>
    return { ...(extra as object), ...known }
  })
const corruptedRecord = corrupted(record)
const list = fc.array(fc.oneof({ weight: 5, arbitrary: record }, corruptedRecord), { maxLength: 4 })

const refusalText = fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 3 }), fc.jsonValue())
const refused = fc.record(
  {
    message: fc.oneof(refusalText, fc.dictionary(fc.string(), refusalText)),
    errors: fc.dictionary(fc.string(), refusalText),
  },
  { requiredKeys: [] },
)
const paging = fc.record(
  {
    links: fc.oneof(
      fc.record({ next: fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.jsonValue()) }),
      fc.jsonValue(),
    ),
    meta: fc.oneof(
      fc.dictionary(fc.constantFrom('current_page', 'last_page', 'total'), fc.jsonValue()),
      fc.jsonValue(),
    ),
  },
  { requiredKeys: [] },
)

const pathological = fc.constantFrom(
  '['.repeat(200_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  '{"data":{"id":1e400,"domain":"a.example"}}',
  '{"__proto__":{"polluted":true},"id":1,"domain":"a.example"}',
  '{"data":[{"id":1,"domain":"a.example","constructor":{"prototype":{"polluted":true}}}]}',
  '{"id":1,"id":2,"domain":"a.example","domain":"b.example"}',
  '{"data":[{"id":1,"domain":"a.example"}],"meta":{"total":{"toString":0}}}',
  '{"data":[{"id":1,"domain":"a.example"}],"meta":{"current_page":{"toString":0},"last_page":[{"toString":0}]}}',
  '{"deleted":true,"id":{"toString":0}}',
  '\ufeff{"id":1,"domain":"a.example"}',
  '<!doctype html><title>Log in</title>',
  ')]}\',\n{"id":1}',
  '"\\ud800"',
  'null',
  '0',
  '',
)

const text = fc.oneof(
  record.map(json),
  record.map((data) => json({ data })),
  corruptedRecord.map(json),
  corruptedRecord.map((data) => json({ data, status: 200 })),
  fc.tuple(list, paging).map(([data, more]) => json({ data, ...more })),
  list.map(json),
  refused.map(json),
  fc.json(),
  fc.string({ unit: 'binary' }),
  pathological,
)

const status = fc.oneof(
  fc.constantFrom(200, 201, 204, 302, 400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503),
  fc.integer({ min: 200, max: 599 }),
)
const value = fc.oneof(fc.nat().map(String), fc.date().map(String), fc.stringMatching(/^[\x21-\x7e]*$/))
const headers = fc.array(
  fc.tuple(
    fc.constantFrom('retry-after', 'date', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'location', 'content-type'),
    value,
  ),
  { maxLength: 4 },
)

export const answered: fc.Arbitrary<Answered> = fc.record({ status, headers, text })

/** Random bytes in place of an answer. Few of them are HTTP. */
export const bytes: fc.Arbitrary<Buffer> = fc.uint8Array({ maxLength: 200 }).map((made) => Buffer.from(made))

/** Encodes answers as HTTP/1.1. The length or the encoding may be wrong, and the answer may be cut off. */
export const onTheWire = (answers: fc.Arbitrary<Answered>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      answers,
      fc.constantFrom('right', 'short', 'long', 'none', 'chunked', 'bad chunks'),
      fc.constantFrom('', '', '', 'gzip', 'gzip that is none', 'gzip, gzip', 'unknown'),
      fc.nat({ max: 100 }),
    )
    .map(([answer, length, encoding, cut]) => {
      const all = wire(answer, length, encoding)
      return cut < 80 ? all : all.subarray(0, Math.floor((all.length * (cut - 80)) / 20))
    })

function wire({ status, headers, text }: Answered, length: string, encoding: string): Buffer {
  const body = encoded(Buffer.from(text), encoding)
  const size = { short: Math.floor(body.length / 2), long: body.length + 10 }[length] ?? body.length
  const chunked = length === 'chunked' || length === 'bad chunks'
  const head = [
    `HTTP/1.1 ${String(status)} Some Words`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(encoding === '' ? [] : [`content-encoding: ${encoding.replace(' that is none', '')}`]),
    ...(chunked ? ['transfer-encoding: chunked'] : []),
    ...(length === 'none' || chunked ? [] : [`content-length: ${String(size)}`]),
  ]
  const size16 = (length === 'bad chunks' ? body.length + 3 : body.length).toString(16)
  const chunks = body.length === 0 ? '0\r\n\r\n' : `${size16}\r\n`
  const parts = chunked ? [Buffer.from(chunks), body, Buffer.from(body.length === 0 ? '' : '\r\n0\r\n\r\n')] : [body]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), ...parts])
}

function encoded(body: Buffer, encoding: string): Buffer {
  if (encoding === 'gzip') return gzipSync(body)
  return encoding === 'gzip, gzip' ? gzipSync(gzipSync(body)) : body
}
