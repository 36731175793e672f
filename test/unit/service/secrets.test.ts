import { serialize } from 'node:v8'
import { inspect } from 'node:util'
import type { RequestListener } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { createService } from '../../../src/main/service/client.ts'
import { always, key, KEY, startHost } from './host.ts'

const PASSWORD = 'correct horse battery'

/** Every way in which a value gets into a log or a file. */
const printed = (value: unknown): string =>
  [inspect(value, { depth: null, showHidden: true }), JSON.stringify(value), String(value)].join('\n')

describe('a secret', () => {
  const secret = new Secret(KEY)

  test('does not show, however it is written', () => {
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

  test('is there for whoever says so', () => {
    expect(secret.reveal()).toBe(KEY)
  })
})

describe('whatever goes wrong, key and password stay inside', () => {
  const echo: RequestListener = (request, response) => {
    const words = `${String(request.headers.authorization)} with ${PASSWORD} is wrong`
    always(422, { message: words, errors: { password: [words], key: words } })(request, response)
  }

  test.each<[string, RequestListener]>([
    ['a refusal that repeats them', echo],
    ['a reset', (request) => void request.socket.destroy()],
    ['a login page', always(200, '<html>')],
    ['a redirect', always(302, '', { Location: '/login' })],
    ['a failure', always(500, 'oops')],
    ['silence', () => undefined],
  ])('%s', async (_name, answer) => {
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

  test('the rest of what was said is kept', async () => {
    const { service } = await startHost(echo)
    await expect(service.update('7', { privacy: 2, password: PASSWORD })).resolves.toMatchObject({
      error: {
        code: 'invalid',
        message: 'Bearer [redacted] with [redacted] is wrong',
        fields: { password: ['Bearer [redacted] with [redacted] is wrong'] },
      },
    })
  })

  test('a short password is taken out where it stands, not out of the middle of words', async () => {
    const { service } = await startHost(always(422, { message: 'The password an is no password; answer.' }))
    const error = { message: 'The password [redacted] is no password; answer.' }
    await expect(service.update('7', { privacy: 2, password: 'an' })).resolves.toMatchObject({ error })
  })

  test('an account that shows the key shows it to nobody', async () => {
    const { service } = await startHost(always(200, { data: { id: 1, api_token: KEY, plan: { keys: [`x${KEY}`] } } }))
    const outcome = await service.account()
    expect(outcome.outcome).toBe('applied')
    expect(printed(outcome)).not.toContain(KEY)
  })

  test('nobody listens', async () => {
    const outcome = await createService({ address: 'http://nowhere.invalid', key }).create({
      domain: 'a.example',
      privacy: 2,
      password: PASSWORD,
      email: false,
      exclude_bots: true,
      exclude_ips: [],
      exclude_params: [],
    })
    expect(printed(outcome)).not.toMatch(/battery|0123456789/)
  })
})
