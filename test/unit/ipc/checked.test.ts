import type { IpcMainInvokeEvent } from 'electron'
import { describe, expect, test } from 'vitest'
import { requestBounds } from '../../../src/main/ipc/bounds.ts'
import { withChecks } from '../../../src/main/ipc/checked.ts'
import type { Handler } from '../../../src/main/ipc/handlers.ts'
import { createGate } from '../../../src/main/ipc/gate.ts'
import { createJournal } from '../../../src/main/log/log.ts'
import type { CommandName } from '../../../src/preload/bridge.ts'
import { MAX_BULK_CREATE, MAX_BULK_WEBSITES } from '../../../src/shared/bulk.ts'
import { MAX_COMPARED } from '../../../src/shared/list-comparison.ts'
import { fail, ok } from '../../../src/shared/result.ts'
import { defaultSettings } from '../../../src/shared/state.ts'

const event = {} as IpcMainInvokeEvent
const SECRET = 'typed-by-a-person-7'

interface Bridge {
  /** True if the sender is the app's own page. Default: true. */
  ours?: () => boolean
  /** The current time in milliseconds. Default: always 0. */
  now?: () => number
  /** More requests than this count as a flood. Default: the limits of the app. */
  limits?: { atOnce: number; perSecond: number }
}

/** Returns a command with all its checks, whose handler records the requests. */
function behind<N extends CommandName>(name: N, handler: Handler<N>, { ours = () => true, now, limits }: Bridge = {}) {
  const seen: unknown[] = []
  const lines: string[] = []
  const watched = ((request) => {
    seen.push(request)
    return handler(request)
  }) as Handler<N>
  const { log } = createJournal(
    ({ text }) => lines.push(text),
    () => 0,
  )
  const invoke = withChecks(name, watched, { isOurPage: ours, gate: createGate(now ?? (() => 0), limits), log })
  return { seen, lines, ask: (...args: unknown[]) => invoke(event, ...args.map((value) => structuredClone(value))) }
}

const draft = {
  domain: 'a.example',
  privacy: 1,
  email: false,
  exclude_bots: true,
  exclude_ips: [] as string[],
  exclude_params: [] as string[],
}
const lines = (n: number, length: number): string[] => Array.from({ length: n }, () => 'x'.repeat(length))

describe('a request of the bridge', () => {
  test('of a stranger is refused before it is read, even if the frame of the sender no longer exists', async () => {
    const stranger = behind('refresh', () => ok(1), { ours: () => false })
    expect(await stranger.ask({ any: 'thing' })).toEqual(fail('forbidden-sender'))
    const gone = behind('refresh', () => ok(1), {
      ours: () => {
        throw new Error('Render frame was disposed')
      },
    })
    expect(await gone.ask()).toEqual(fail('forbidden-sender'))
    expect([...stranger.seen, ...gone.seen]).toEqual([])
  })

  test('of the largest allowed size reaches the handler unchanged', async () => {
    const largest = { ...draft, exclude_ips: lines(10_000, 1000), exclude_params: lines(10_000, 1000) }
    const create = behind('createWebsite', () => fail('storage'))
    expect(await create.ask(largest)).toEqual(fail('storage'))
    expect(create.seen).toEqual([largest])
  })

  test.each<[CommandName, unknown]>([
    ['compareList', { domains: lines(MAX_COMPARED, 20) }],
    [
      'bulkCreate',
      { drafts: Array.from({ length: MAX_BULK_CREATE }, () => ({ ...draft, exclude_ips: lines(400, 15) })) },
    ],
    [
      'bulkUpdate',
      {
        keys: Array.from({ length: MAX_BULK_WEBSITES }, (_, n) => `w${String(n)}`),
        change: { exclude_ips: { how: 'edit', add: lines(10_000, 15), remove: lines(10_000, 15) } },
      },
    ],
    ['savePreset', { id: null, name: 'A', change: { exclude_ips: { how: 'set', lines: lines(10_000, 15) } } }],
  ])('%s with the longest list reaches the handler', async (name, request) => {
    const long = behind(name, () => fail('storage') as never)
    expect(await long.ask(request)).toEqual(fail('storage'))
    expect(long.seen).toHaveLength(1)
  })

  test.each<[string, unknown]>([
    ['more text than any request has', { key: 'x'.repeat(requestBounds.longest + 1) }],
    ['more values than any request has', { key: 'w1', more: lines(requestBounds.max, 0) }],
    ['more levels than any request has', { key: 'w1', more: [[[[[[[[['deep']]]]]]]]] }],
    ['itself', Object.assign({ key: 'w1' }, { self: {} })],
    ['a map', { key: 'w1', more: new Map([['a', 1]]) }],
    ['bytes', { key: 'w1', more: new Uint8Array(8) }],
    ['a date', { key: 'w1', more: new Date(0) }],
    ['a bigint', { key: 'w1', more: 1n }],
    ['an own __proto__', JSON.parse('{"key":"w1","__proto__":{"polluted":true}}')],
    ['an own constructor, further in', { key: 'w1', more: [{ constructor: { prototype: {} } }] }],
    ['a key that is a number', { key: 7 }],
    ['nothing', undefined],
  ])('that contains %s is refused with a code only', async (content, request) => {
    if (content === 'itself') (request as { self: unknown }).self = request
    const get = behind('getWebsite', () => fail('website-gone'))
    expect(await get.ask(request)).toEqual(fail('malformed-request'))
    expect(get.seen).toEqual([])
    expect(get.lines).toEqual([])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('with a second argument is refused', async () => {
    const get = behind('getWebsite', () => fail('website-gone'))
    expect(await get.ask({ key: 'w1' }, { key: 'w2' })).toEqual(fail('malformed-request'))
  })

  test('loses fields that the contract does not have', async () => {
    const get = behind('getWebsite', () => fail('website-gone'))
    await get.ask({ key: 'w1', admin: true })
    expect(get.seen).toEqual([{ key: 'w1' }])
  })
})

describe('a handler', () => {
  const connect = { address: 'http://127.0.0.1', apiKey: SECRET, keep: 'run' }

  test('that fails is answered with a code, and its request is not logged', async () => {
    const failing = behind('connect', ({ address, apiKey }) => {
      throw new TypeError(`can't connect to ${address} with ${apiKey}`)
    })
    expect(await failing.ask(connect)).toEqual(fail('internal'))
    expect(failing.lines).toEqual([expect.stringMatching(/^commandFailed command=connect error=TypeError at=/)])
    expect(failing.lines.join()).not.toContain(SECRET)
  })

  test('whose answer does not fit is answered with a code, and the answer is not logged', async () => {
    const echo = behind('connect', ({ apiKey }) => ok({ id: apiKey } as never))
    expect(await echo.ask(connect)).toEqual(fail('malformed-answer'))
    expect(echo.lines).toEqual(['misfit what=answer of=connect'])
  })

  test('that adds fields to its answer does not send them', async () => {
    const settings = { ...defaultSettings, apiKey: SECRET }
    const talkative = behind('getSettings', () => ok(settings))
    expect(await talkative.ask()).toEqual(ok(defaultSettings))
  })
})

describe('a flood', () => {
  test('of unanswered requests is refused beyond the limit, until some are answered', async () => {
    const go: (() => void)[] = []
    const slow = behind('refresh', () => new Promise((resolve) => go.push(() => resolve(ok(1)))), {
      limits: { atOnce: 2, perSecond: 100 },
    })
    const [first, second] = [slow.ask(), slow.ask()]
    expect(await slow.ask()).toEqual(fail('flooded'))
    for (const answer of go.splice(0)) answer()
    expect(await Promise.all([first, second])).toEqual([ok(1), ok(1)])
    const third = slow.ask()
    go[0]?.()
    expect(await third).toEqual(ok(1))
  })

  test('of requests in one second is refused beyond the limit, until the next second', async () => {
    let now = 5000
    const quick = behind('refresh', () => ok(1), {
      now: () => now,
      limits: { atOnce: 10, perSecond: 3 },
    })
    const answers = [await quick.ask(), await quick.ask(), await quick.ask(), await quick.ask()]
    expect(answers.map((answer) => answer.ok)).toEqual([true, true, true, false])
    now = 6000
    expect(await quick.ask()).toEqual(ok(1))
  })
})
