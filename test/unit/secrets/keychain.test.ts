import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createKeychain, type Keytar } from '../../../src/main/secrets/keychain.ts'
import { createSealer } from '../../../src/main/secrets/sealer.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { ok } from '../../../src/shared/result.ts'
import { startKeychainChild, type ChildOptions, type KeychainChild } from './child.ts'

let child: KeychainChild | undefined
const start = async (options?: ChildOptions): Promise<KeychainChild> => (child = await startKeychainChild(options))
afterEach(async () => {
  await child?.stop()
  child = undefined
})

// Only on Linux can a test have a keychain of its own.
describe.runIf(process.platform === 'linux')('the OS keychain', () => {
  test('stores, returns and deletes a secret, and keeps our own record of it', async () => {
    const k = await start()
    expect(await k.ask('set', 'c1:api-key', 'sw_live_1')).toEqual({ ok: true })
    expect(await k.ask('get', 'c1:api-key')).toEqual({ ok: true, value: 'sw_live_1' })
    expect(await k.ask('state')).toBe('ready')
    expect(await k.ask('stored')).toEqual(['c1:api-key'])
    expect(await k.ask('delete', 'c1:api-key')).toEqual({ ok: true })
    expect(await k.ask('get', 'c1:api-key')).toEqual({ ok: true, value: null })
    expect(await k.ask('stored')).toEqual([])
  })

  test('refuses a secret with a line break, which the keychain would cut', async () => {
    const k = await start()
    expect(await k.ask('set', 'c1:api-key', 'one\ntwo')).toMatchObject({ ok: false, error: { code: 'invalid-input' } })
    expect(await k.ask('stored')).toEqual([])
  })

  test('when locked, reports a stored entry as locked, not as missing, and refuses a write as locked', async () => {
    const k = await start()
    await k.ask('set', 'c1:api-key', 'sw_live_1')
    k.lock()
    expect(await k.ask('get', 'c1:api-key')).toMatchObject({ ok: false, error: { code: 'keychain-locked' } })
    expect(await k.ask('state')).toBe('locked')
    expect(await k.ask('set', 'c1:api-key', 'sw_live_2')).toMatchObject({
      ok: false,
      error: { code: 'keychain-locked' },
    })
    expect(await k.ask('stored')).toEqual(['c1:api-key'])
    expect(await k.ask('delete', 'c1:api-key')).toMatchObject({ ok: false, error: { code: 'keychain-locked' } })
    expect(await k.ask('get', 'c1:api-key')).toEqual({ ok: true, value: null })
  })

  test('can forget and store again an entry that another program removed', async () => {
    const k = await start({ stored: ['c1:api-key'] })
    expect(await k.ask('get', 'c1:api-key')).toMatchObject({ ok: false, error: { code: 'keychain-locked' } })
    expect(await k.ask('delete', 'c1:api-key')).toEqual({ ok: true })
    expect(await k.ask('stored')).toEqual([])
    expect(await k.ask('set', 'c1:api-key', 'sw_live_3')).toEqual({ ok: true })
    expect(await k.ask('get', 'c1:api-key')).toEqual({ ok: true, value: 'sw_live_3' })
  })

  test.each([
    ['no session bus', 'bus'],
    ['a session bus without a keychain service', 'provider'],
    ['libsecret can’t be loaded', 'library'],
  ] as const)('when missing (%s), fails each call at once and records nothing as stored', async (_why, without) => {
    const k = await start({ without })
    for (const call of [['get'], ['set', 'x'], ['delete']]) {
      const [name, ...more] = call as [string, ...string[]]
      expect(await k.ask(name, 'c1:api-key', ...more)).toMatchObject({
        ok: false,
        error: { code: 'keychain-missing' },
      })
    }
    expect(await k.ask('state')).toBe('missing')
    expect(await k.ask('stored')).not.toContain('c1:api-key')
  })

  test('gets one call at a time, for any number of concurrent requests', async () => {
    const k = await start()
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    await Promise.all(names.map((name) => k.ask('set', name, `secret of ${name}`)))
    const got = await Promise.all(names.map((name) => k.ask('get', name)))
    expect(got).toEqual(names.map((name) => ({ ok: true, value: `secret of ${name}` })))
    expect(await k.ask('calls')).toMatchObject({ most: 1, all: 12 })
  })

  test('answers the next request after the user has unlocked it', async () => {
    const k = await start()
    await k.ask('set', 'c1:api-key', 'sw_live_1')
    k.lock()
    expect(await k.ask('get', 'c1:api-key')).toMatchObject({ ok: false, error: { code: 'keychain-locked' } })
    await k.unlock()
    expect(await k.ask('get', 'c1:api-key')).toEqual({ ok: true, value: 'sw_live_1' })
    expect(await k.ask('states')).toEqual(['ready', 'locked', 'ready'])
  })

  test('when frozen, fails the call after the time limit, starts no further call, and reports the state `ready` when it answers again', async () => {
    const k = await start({ timeLimit: 400 })
    await k.ask('set', 'c1:api-key', 'sw_live_1')
    k.freeze()
    const begun = await k.ask<{ all: number }>('calls')
    const answers = await Promise.all([k.ask('get', 'c1:api-key'), k.ask('get', 'c1:api-key')])
    expect(await k.ask('calls')).toMatchObject({ all: begun.all + 1, now: 1 })
    k.thaw()
    for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: 'keychain-timeout' } })
    await expect.poll(() => k.ask('state')).toBe('ready')
    expect(await k.ask('get', 'c1:api-key')).toEqual({ ok: true, value: 'sw_live_1' })
    expect(await k.ask('states')).toEqual(['ready', 'frozen', 'ready'])
  })
})

test('records no entry for a write that is refused after the time limit, or that is not made because another call hangs', async () => {
  const recorded = new Set<string>()
  const write = Promise.withResolvers<void>()
  const keychain = createKeychain({
    load: async () => ({ setPassword: () => write.promise }) as unknown as Keytar,
    service: 'test',
    timeLimit: 20,
    records: {
      has: (name) => recorded.has(name),
      set: (name, stored) => ok(void (stored ? recorded.add(name) : recorded.delete(name))),
      endingWith: () => [],
    },
  })
  const set = (name: string) => keychain.set(name, new Secret('secret'))
  expect(await set('late')).toMatchObject({ ok: false, error: { code: 'keychain-timeout' } })
  expect(await set('behind it')).toMatchObject({ ok: false, error: { code: 'keychain-timeout' } })
  expect([...recorded]).toEqual(['late'])
  write.reject(new Error('The user has dismissed the prompt.'))
  await expect.poll(() => [...recorded]).toEqual([])
})

/** Returns a keychain in memory. While it is locked, it seems empty, and asks the user for its password at the next write. */
function lockable() {
  const entries = new Map<string, string>()
  const recorded = new Set<string>()
  const at = { locked: false }
  const keytar: Keytar = {
    getPassword: async (_service, name) => (at.locked ? null : (entries.get(name) ?? null)),
    deletePassword: async (_service, name) => !at.locked && entries.delete(name),
    async setPassword(_service, name, text) {
      at.locked = false
      entries.set(name, text)
    },
  }
  const keychain = createKeychain({
    load: async () => keytar,
    service: 'test',
    records: {
      has: (name) => recorded.has(name),
      set: (name, stored) => ok(void (stored ? recorded.add(name) : recorded.delete(name))),
      endingWith: (end) => [...recorded].filter((name) => name.endsWith(end)),
    },
  })
  return { keychain, entries, recorded, at }
}

test('a key that is deleted while the keychain is locked is gone once the user has unlocked the keychain', async () => {
  const { keychain, entries, recorded, at } = lockable()
  await keychain.set('c1:api-key', new Secret('sw_live_1'))
  at.locked = true
  expect(await keychain.delete('c1:api-key')).toEqual({ ok: true })
  expect([...entries.keys()]).toEqual([])
  expect([...recorded]).toEqual([])
})

test('unseals an earlier password once the user has unlocked the keychain to seal another password', async () => {
  const { keychain, at } = lockable()
  const before = await createSealer(keychain, 'c1').seal('first', 'a.example')
  at.locked = true
  const sealer = createSealer(keychain, 'c1')
  expect(await sealer.seal('second', 'b.example')).toMatchObject({ ok: true })
  expect(before.ok && (await sealer.unseal(before.value, 'a.example'))).toEqual({ ok: true, value: 'first' })
})

describe.runIf(process.platform === 'linux')('sealing statistics passwords', () => {
  describe('with one keychain for all tests', () => {
    let k: KeychainChild
    beforeAll(async () => void (k = await startKeychainChild()))
    afterAll(() => k.stop())

    test('a sealed value holds nothing of the password, and can be unsealed by a later process', async () => {
      const sealed = await k.ask<{ value: string }>('seal', 'c1', 'correct horse')
      expect(Buffer.from(sealed.value, 'base64').toString('latin1')).not.toContain('horse')
      await k.ask('restart')
      expect(await k.ask('unseal', 'c1', sealed.value)).toEqual({ ok: true, value: 'correct horse' })
    })

    test('unseals two passwords that were sealed at the same time, when there was no data key yet', async () => {
      const [a, b] = await k.ask<[string, string]>('sealTwo', 'c2', 'first', 'second')
      expect(await k.ask('unseal', 'c2', a)).toEqual({ ok: true, value: 'first' })
      expect(await k.ask('unseal', 'c2', b)).toEqual({ ok: true, value: 'second' })
    })

    test('a password sealed for one connection does not unseal for another, nor after a bit has changed', async () => {
      const { value } = await k.ask<{ value: string }>('seal', 'c3', 'secret')
      await k.ask('seal', 'c4', 'other')
      expect(await k.ask('unseal', 'c4', value)).toMatchObject({ ok: false, error: { code: 'password-missing' } })
      const bytes = Buffer.from(value, 'base64')
      bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1
      expect(await k.ask('unseal', 'c3', bytes.toString('base64'))).toMatchObject({
        ok: false,
        error: { code: 'password-missing' },
      })
    })

    test('a password sealed for one website does not unseal for another, but for each spelling of its domain', async () => {
      const { value } = await k.ask<{ value: string }>('seal', 'c5', 'secret', 'bücher.example')
      const missing = { ok: false, error: { code: 'password-missing' } }
      expect(await k.ask('unseal', 'c5', value, 'other.example')).toMatchObject(missing)
      const spelled = await k.ask('unseal', 'c5', value, 'XN--BCHER-KVA.example')
      expect(spelled).toEqual({ ok: true, value: 'secret' })
    })
  })

  test('creates a new data key if the recorded one was never stored', async () => {
    const k = await start({ stored: ['c1:data-key'] })
    const sealed = await k.ask<{ value: string }>('seal', 'c1', 'secret')
    expect(sealed).toMatchObject({ ok: true })
    expect(await k.ask('unseal', 'c1', sealed.value)).toEqual({ ok: true, value: 'secret' })
    expect(await k.ask('get', 'c1:data-key')).toMatchObject({ ok: true, value: expect.any(String) as string })
    expect(await k.ask('get', 'c1:data-key:probe')).toEqual({ ok: true, value: null })
  })

  test('reports a password as missing, not as locked, if another program has removed the data key', async () => {
    const k = await start()
    const { value } = await k.ask<{ value: string }>('seal', 'c1', 'secret')
    await k.ask('removeByHand', 'c1:data-key')
    await k.ask('restart')
    expect(await k.ask('unseal', 'c1', value)).toMatchObject({ ok: false, error: { code: 'password-missing' } })
    expect(await k.ask('stored')).toEqual([])
  })

  test('does not report a password as missing while the keychain is locked', async () => {
    const k = await start()
    const { value } = await k.ask<{ value: string }>('seal', 'c1', 'secret')
    await k.ask('restart')
    k.lock()
    expect(await k.ask('unseal', 'c1', value)).toMatchObject({ ok: false, error: { code: 'keychain-locked' } })
    expect(await k.ask('seal', 'c1', 'another')).toMatchObject({ ok: false, error: { code: 'keychain-locked' } })
    await k.unlock()
    expect(await k.ask('unseal', 'c1', value)).toEqual({ ok: true, value: 'secret' })
  })

  test('finds a data key whose record was lost, and records it again', async () => {
    const k = await start()
    const { value } = await k.ask<{ value: string }>('seal', 'c1', 'secret')
    await k.ask('loseRecords')
    await k.ask('restart')
    expect(await k.ask('unseal', 'c1', value)).toEqual({ ok: true, value: 'secret' })
    expect(await k.ask('stored')).toEqual(['c1:data-key'])
    await k.ask('loseRecords')
    await k.ask('restart')
    const later = await k.ask<{ value: string }>('seal', 'c1', 'later')
    await k.ask('restart')
    expect(await k.ask('unseal', 'c1', later.value)).toEqual({ ok: true, value: 'later' })
  })

  test('seals nothing while the keychain is locked, as the key would be lost', async () => {
    const k = await start()
    await k.ask('set', 'c1:api-key', 'sw_live_1')
    k.lock()
    expect(await k.ask('seal', 'c1', 'secret')).toMatchObject({ ok: false, error: { code: 'keychain-locked' } })
  })

  test('with no keychain at all, seals with a key that lasts until the app ends', async () => {
    const k = await start({ without: 'bus' })
    const { value } = await k.ask<{ value: string }>('seal', 'c1', 'secret')
    expect(await k.ask('unseal', 'c1', value)).toEqual({ ok: true, value: 'secret' })
    await k.stop()
    const next = await start({ without: 'bus' })
    expect(await next.ask('unseal', 'c1', value)).toMatchObject({ ok: false, error: { code: 'password-missing' } })
  })
})
