import { serialize } from 'node:v8'
import { inspect } from 'node:util'
import type { RequestListener } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { always, client, KEY, startHost } from './host.ts'

const PASSWORD = 'correct horse battery'

const draft = {
  domain: 'a.example',
  privacy: 1 as const,
  email: false,
  exclude_bots: true,
  exclude_ips: [],
  exclude_params: [],
}

/** Returns a value in every form in which it could reach a log or a file. */
const printed = (value: unknown): string =>
  [inspect(value, { depth: null, showHidden: true }), JSON.stringify(value), String(value)].join('\n')

describe('a secret', () => {
  const secret = new Secret(KEY)

  test('is hidden when it is printed, serialized or logged', () => {
    const forms = [
      String(secret),
      JSON.stringify({ secret }),
      inspect({ secret }, { depth: null, showHidden: true }),
      Object.values(secret).join(''),
      serialize(secret).toString('latin1'),
      new Error(String(secret)).stack ?? '',
    ]
    for (const form of forms) expect(form).not.toContain(KEY)
    expect(String(secret)).toBe('[redacted]')
  })

  test('is returned by reveal', () => {
    expect(secret.reveal()).toBe(KEY)
  })
})

describe('redacts key and password', () => {
  const echo: RequestListener = (request, response) => {
    const message = `${String(request.headers.authorization)} with ${PASSWORD} is wrong`
    always(422, { message, errors: { password: [message], key: message } })(request, response)
  }

  test.each<[string, RequestListener]>([
    ['a refusal that repeats them', echo],
    ['a reset', (request) => void request.socket.destroy()],
    ['a login page', always(200, '<html>')],
    ['a redirect', always(302, '', { Location: '/login' })],
    ['a failure', always(500, 'oops')],
    ['silence', () => undefined],
  ])('after %s', async (_name, answer) => {
    const log = vi.spyOn(console, 'log')
    const warn = vi.spyOn(console, 'error')
    const { service } = await startHost(answer, { limits: { request: 200 } })
    const outcome = await service.update('7', { privacy: 2, password: PASSWORD })
    expect(outcome.outcome).not.toBe('applied')
    const everything = printed(outcome) + printed(service) + printed([log.mock.calls, warn.mock.calls])
    expect(everything).not.toContain(KEY)
    expect(everything).not.toContain('battery')
    vi.restoreAllMocks()
  })

  test('and keeps the rest of the text', async () => {
    const { service } = await startHost(echo)
    await expect(service.update('7', { privacy: 2, password: PASSWORD })).resolves.toMatchObject({
      error: {
        code: 'invalid',
        message: 'Bearer [redacted] with [redacted] is wrong',
        fields: { password: ['Bearer [redacted] with [redacted] is wrong'] },
      },
    })
  })

  test.each<[string, unknown]>([
    ['as a value', { note: PASSWORD, list: [`set to ${PASSWORD}.`] }],
    ['as the name of a field', { [PASSWORD]: true, inner: { [`x ${PASSWORD}`]: 1 } }],
    [
      'as the form had it',
      { request: 'privacy=2&password=correct+horse+battery', url: '?p=correct%20horse%20battery' },
    ],
    ['in place of a time', { created_at: PASSWORD, updated_at: `${PASSWORD} at 9` }],
    ['in place of the password', { password: PASSWORD }],
  ])('in the answer to a write that shows the password %s', async (_where, shown) => {
    const { service } = await startHost(always(200, { data: { id: 7, domain: 'a.example', ...(shown as object) } }))
    const updated = await service.update('7', { privacy: 2, password: PASSWORD })
    expect(updated).toMatchObject({ outcome: 'applied', value: { id: '7', domain: 'a.example' } })
    const created = await service.create({ ...draft, privacy: 2, password: PASSWORD })
    expect(created).toMatchObject({ outcome: 'applied', value: { id: '7', domain: 'a.example' } })
    expect(printed([updated, created])).not.toMatch(/battery/)
  })

  test('when a password of digits is shown as a number', async () => {
    const { service } = await startHost(always(200, { id: 7, domain: 'a.example', pin: 20481024, pins: [20481024, 3] }))
    const extra = { pin: '[redacted]', pins: ['[redacted]', 3] }
    const answer = service.update('7', { privacy: 2, password: '20481024' })
    await expect(answer).resolves.toMatchObject({ outcome: 'applied', value: { extra } })
  })

  test.each([
    ['behind the end of a line', { note: 'one\nan\ntwo' }, 'one\n[redacted]\ntwo', 'an'],
    ['with a quotation mark and a backslash', { note: 'is a"b\\/n' }, 'is [redacted]', 'a"b\\/n'],
    ['with a slash', { note: 'is a/b' }, 'is [redacted]', 'a/b'],
    ['of letters that hosts write as numbers', { note: 'is “ü”' }, 'is “[redacted]”', 'ü'],
  ])('when a password is shown %s, however the JSON is escaped', async (_where, shown, note, password) => {
    const record = JSON.stringify({ id: 7, domain: 'a.example', ...shown })
    const inNumbers = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
    for (const json of [record, record.replaceAll('/', '\\/'), record.replaceAll(/[^ -~]/g, inNumbers)]) {
      const { service } = await startHost(always(200, json))
      const answer = await service.update('7', { privacy: 2, password })
      expect(answer, json).toMatchObject({ outcome: 'applied', value: { extra: { note } } })
    }
  })

  test.each(['7', '2', 'northwind', 'domain', 'utm', '2026', 'data'])(
    'but keeps known fields that happen to contain the password %j',
    async (password) => {
      const record = { privacy: '2', exclude_params: 'utm', created_at: '2026-11-12 09:14:05' }
      const { service } = await startHost(always(200, { data: { id: 7, domain: 'northwind.example', ...record } }))
      await expect(service.update('7', { privacy: 2, password })).resolves.toMatchObject({
        outcome: 'applied',
        value: { id: '7', domain: 'northwind.example', ...record, privacy: 2, exclude_params: ['utm'], extra: {} },
      })
    },
  )

  test('in the names of fields of an error, except the names of the form’s fields', async () => {
    const body = { message: { [PASSWORD]: ['No.'], [`k ${KEY}`]: ['No.'] } }
    const { service } = await startHost(always(422, body))
    const fields = { '[redacted]': ['No.'], 'k [redacted]': ['No.'] }
    const refused = await service.update('7', { privacy: 2, password: PASSWORD })
    expect(refused).toMatchObject({ outcome: 'notApplied', error: { code: 'invalid', fields } })
    expect(printed(refused)).not.toMatch(/battery|0123456789/)

    const weak = await startHost(always(422, { message: { password: ['Too weak.'] } }))
    const error = { fields: { password: ['Too weak.'] } }
    await expect(weak.service.update('7', { privacy: 2, password: 'password' })).resolves.toMatchObject({ error })
  })

  test('of fewer than 8 characters only as whole words', async () => {
    const { service } = await startHost(always(422, { message: 'The password an is no password; answer.' }))
    const error = { message: 'The password [redacted] is no password; answer.' }
    await expect(service.update('7', { privacy: 2, password: 'an' })).resolves.toMatchObject({ error })
  })

  test('in an account that shows the key', async () => {
    const { service } = await startHost(
      always(200, {
        data: {
          id: 1,
          name: `of ${KEY}`,
          api_token: KEY,
          [KEY]: 1,
          plan: { features: { [KEY]: 1 }, keys: [`x${KEY}`] },
        },
      }),
    )
    const outcome = await service.account()
    expect(outcome.outcome).toBe('applied')
    expect(printed(outcome)).not.toContain(KEY)
  })

  test('when nothing listens', async () => {
    const outcome = await client({ address: 'http://nowhere.invalid' }).create({
      ...draft,
      privacy: 2,
      password: PASSWORD,
    })
    expect(printed(outcome)).not.toMatch(/battery|0123456789/)
  })
})
