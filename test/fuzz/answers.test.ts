import fc from 'fast-check'
import { createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createServiceOver } from '../../src/main/service/client.ts'
import type { Body, SendRequest } from '../../src/main/service/exchange.ts'
import type { Service } from '../../src/main/service/port.ts'
import { accountSchema } from '../../src/shared/account.ts'
import { appErrorSchema } from '../../src/shared/result.ts'
import { websiteRecordSchema } from '../../src/shared/website.ts'
import { client, key, KEY, listening } from '../unit/service/host.ts'
import { answered, bytes, onTheWire } from './answers.ts'
import { settings, timeout } from './settings.ts'

const draft = {
  domain: 'a.example',
  privacy: 2 as const,
  password: 'lantern-of-the-harbour',
  email: false,
  exclude_bots: true,
  exclude_ips: [],
  exclude_params: [],
}

const page = z.strictObject({
  websites: z.array(websiteRecordSchema.strict()),
  next: z.string().nullable(),
  total: z.number().int().optional(),
})
const written = websiteRecordSchema.strict().nullable()

const operations: Record<string, { ask: (service: Service) => ReturnType<Service[keyof Service]>; value: z.ZodType }> =
  {
    list: { ask: (service) => service.list({ search: 'a' }), value: page },
    listNext: { ask: (service) => service.listNext('page=2'), value: page },
    get: { ask: (service) => service.get('1'), value: websiteRecordSchema.strict() },
    create: { ask: (service) => service.create(draft), value: written },
    update: { ask: (service) => service.update('1', { privacy: 2, password: draft.password }), value: written },
    delete: { ask: (service) => service.delete('1'), value: z.null() },
    account: { ask: (service) => service.account(), value: accountSchema.strict() },
  }
const names = fc.constantFrom(...Object.keys(operations))

const meta = z.strictObject({
  date: z.number().optional(),
  limit: z.number().optional(),
  remaining: z.number().optional(),
})
const outcomeOf = (value: z.ZodType): z.ZodType =>
  z.discriminatedUnion('outcome', [
    z.strictObject({ outcome: z.literal('applied'), value, meta }),
    z.strictObject({ outcome: z.literal('notApplied'), error: appErrorSchema.strict(), meta }),
    z.strictObject({ outcome: z.literal('inDoubt'), error: appErrorSchema.strict(), meta }),
  ])

/** Checks that an operation does not throw, has one outcome (docs/sync.md#request-outcomes), and reveals no secret. */
async function judged(name: string, service: Service): Promise<Awaited<ReturnType<Service[keyof Service]>>> {
  const { ask, value } = operations[name] as (typeof operations)[string]
  const outcome = await ask(service)
  const fits = outcomeOf(value).safeParse(outcome)
  expect(fits.error?.issues ?? []).toEqual([])
  expect(inspect(outcome, { depth: null })).not.toContain(KEY)
  if (name !== 'create' && name !== 'update') return outcome
  // Searches only the unknown fields, because a known field, such as the domain, may happen to equal the password.
  const reported = outcome.outcome === 'applied' ? unknownOf(outcome.value) : outcome.error
  expect(inspect(reported, { depth: null })).not.toContain(draft.password)
  expect(Object.keys(Object.prototype)).toEqual([])
  return outcome
}

const unknownOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'extra' in value ? value.extra : null

/** Answers of a host. Some of them repeat the key or the password that was sent. */
const echoing = fc.tuple(answered, fc.constantFrom('', '', '', KEY, draft.password)).map(([answer, secret]) => ({
  ...answer,
  text: secret === '' ? answer.text : answer.text.replace(/a/g, secret),
}))

describe('whatever answers in the place of the service', () => {
  test(
    'every operation has one of the three outcomes',
    async () => {
      const broken: fc.Arbitrary<Body | null> = fc.constantFrom<Body | null>(
        null,
        null,
        null,
        { whole: false, code: 'too-large' },
        { whole: false, code: 'interrupted' },
        { whole: false, code: 'garbled' },
        { whole: false, code: 'timeout' },
      )
      await fc.assert(
        fc.asyncProperty(names, echoing, broken, async (name, { status, headers, text }, cut) => {
          const send: SendRequest = async () => ({
            status,
            headers: new Headers(headers),
            body: cut ?? { whole: true, text },
          })
          const { outcome } = await judged(name, createServiceOver(send, key))
          if (outcome === 'applied') expect(status >= 200 && status < 300 && cut === null).toBe(true)
          if (outcome === 'notApplied') expect((status >= 400 && status <= 422) || status === 429).toBe(true)
          if (status === 408) expect(outcome).toBe('inDoubt')
        }),
        settings(1500),
      )
    },
    timeout,
  )

  test(
    'every operation has one of the three outcomes over a real connection, too',
    async () => {
      let next: Buffer = Buffer.alloc(0)
      let ends = true
      const answer = (socket: Socket): void => {
        socket.on('error', () => undefined)
        socket.once('data', () => {
          socket.write(next)
          if (ends) socket.end()
        })
      }
      const origin = `http://127.0.0.1:${String(await listening(createServer(answer)))}`
      const service = client({ address: origin, limits: { request: 400, body: 64 * 1024 } })
      await fc.assert(
        fc.asyncProperty(names, fc.oneof(onTheWire(echoing), bytes), fc.boolean(), async (name, sent, end) => {
          next = sent
          // An open connection may make the client wait until its time limit, so only few answers leave it open.
          ends = end || sent.length % 16 !== 0
          await judged(name, service)
        }),
        settings(150),
      )
    },
    timeout,
  )
})
