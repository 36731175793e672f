import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAnswerAndDate, probeDisk, tryKeychain } from '../../../src/main/diagnostics/checks.ts'
import { reportText } from '../../../src/main/diagnostics/report.ts'
import { checkSetUp, type SetUpProbes } from '../../../src/main/diagnostics/set-up.ts'
import { startSampleService } from '../../../src/main/sample/service.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { createService } from '../../../src/main/service/client.ts'
import { createDispatcher } from '../../../src/main/service/dispatcher.ts'
import type { KeyState } from '../../../src/shared/connection.ts'
import { fail, ok, type ErrorCode } from '../../../src/shared/result.ts'
import { anAppState } from '../../component/support/fixtures.ts'

const working: SetUpProbes = {
  probeDisk: async () => ok(5e9),
  clock: () => ({ now: 2e12, latest: 1.9e12 }),
  keychain: async () => ok(undefined),
  ask: async () => ({ answer: ok({ account: null }), date: 2e12 }),
  secure: () => true,
  tray: async () => true,
  notifications: () => true,
}

/** Returns all results that aren't good, as `part: found code`. */
async function found(change: Partial<SetUpProbes>): Promise<string[]> {
  const checks = await checkSetUp({ ...working, ...change })
  return checks.flatMap((one) => (one.found === 'good' ? [] : `${one.part}: ${one.found} ${one.code ?? '-'}`))
}

test('reports each part as good if everything works, always in the same order', async () => {
  const checks = await checkSetUp(working)
  const parts = ['disk', 'clock', 'keychain', 'address', 'tls', 'key', 'tray', 'notifications']
  expect(checks.map(({ part }) => part)).toEqual(parts)
  expect(await found({})).toEqual([])
})

test('reports a failure at its own part, and the parts behind it as unknown', async () => {
  const checksAfter = (code: ErrorCode) => found({ ask: async () => ({ answer: fail(code), date: null }) })
  expect(await checksAfter('name-lookup')).toEqual(['address: bad name-lookup', 'tls: unknown -', 'key: unknown -'])
  expect(await checksAfter('certificate')).toEqual(['tls: bad certificate', 'key: unknown -'])
  expect(await checksAfter('unauthenticated')).toEqual(['key: bad unauthenticated'])
  expect(await found({ ask: async () => null, secure: () => null })).toEqual([
    'address: unknown -',
    'tls: unknown -',
    'key: unknown -',
  ])
  expect(await found({ secure: () => false })).toEqual(['tls: bad -'])
  expect(await found({ notifications: () => false })).toEqual(['notifications: bad -'])
})

test('reports address and TLS as good after a 429, the address as unknown after a 503, and as bad if the proxy refuses', async () => {
  const checksAfter = (code: ErrorCode, status: number) =>
    found({ ask: async () => ({ answer: { ok: false, error: { code, message: '', status } }, date: null }) })
  expect(await checksAfter('rate-limited', 429)).toEqual(['key: unknown rate-limited'])
  expect(await checksAfter('unavailable', 503)).toEqual(['address: unknown unavailable', 'key: unknown -'])
  expect(await checksAfter('proxy-failed', 502)).toEqual([
    'address: bad proxy-failed',
    'tls: unknown -',
    'key: unknown -',
  ])
})

test('reports the key as unknown if the keychain is locked, and does not ask for its password again', async () => {
  const loads: boolean[] = []
  const ask: SetUpProbes['ask'] = async (mayLoadKey) => {
    loads.push(mayLoadKey)
    return { answer: fail('keychain-locked'), date: 2e12 }
  }
  const kept = await found({ ask, keychain: async () => fail('keychain-locked') })
  expect(loads).toEqual([false])
  expect(kept).toEqual(['keychain: bad keychain-locked', 'key: unknown keychain-locked'])
})

test('reads with the key that the check of the keychain has unlocked', async () => {
  let unlocked = false
  const keychain = async () => {
    await Promise.resolve()
    unlocked = true
    return ok(undefined)
  }
  const ask: SetUpProbes['ask'] = async () => ({ answer: unlocked ? ok(null) : fail('keychain-locked'), date: 2e12 })
  expect(await found({ keychain, ask })).toEqual([])
})

test('reports a disk that is nearly full or can’t be written, a locked keychain, and a tray that is unknown or absent', async () => {
  expect(await found({ probeDisk: async () => ok(1000) })).toEqual(['disk: bad -'])
  expect(await found({ probeDisk: async () => fail('storage') })).toEqual(['disk: bad storage'])
  expect(await found({ keychain: async () => fail('keychain-locked') })).toEqual(['keychain: bad keychain-locked'])
  expect(await found({ tray: async () => null })).toEqual(['tray: unknown -'])
  expect(await found({ tray: async () => false })).toEqual(['tray: absent -'])
})

test('the report says whether damaged data was restored from a backup', () => {
  const counts = { at: 0, quarantined: '', websites: 0, edits: 0 }
  const salvaged = { ...counts, of: 'connection' as const, why: 'damaged' as const, backupAt: null }
  const cases = [
    [null, 'undamaged'],
    [salvaged, 'damaged, without a backup'],
    [{ ...salvaged, backupAt: 1 }, 'restored from a backup'],
    [{ ...salvaged, of: 'app' as const, why: 'unreleased' as const }, 'of an early test version, not used'],
  ] as const
  for (const [now, text] of cases) {
    const report = { version: '1', runtime: '', os: '', state: anAppState({ salvaged: now }), tray: null, recent: [] }
    expect(reportText(report, false)).toContain(`Data: ${text}\n`)
  }
})

test('reports the free space of a folder only if a file can be written, and removes that file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-set-up-'))
  expect(await probeDisk(folder)).toMatchObject({ ok: true, value: expect.any(Number) as number })
  expect(readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
  expect(await probeDisk(folder)).toEqual(fail('storage'))
})

test.runIf(process.platform === 'linux')('reports a disk with free space that takes no file', async () => {
  expect((await statfs('/proc')).type).toBeGreaterThan(0)
  expect(await probeDisk('/proc')).toEqual(fail('storage'))
})

test('reports a clock that is more than some minutes off the service’s clock, or earlier than the latest stored time', async () => {
  const minutes = 60_000
  const clock = async (off: number, { latest = 1.9e12 as number | null, date = 2e12 as number | null } = {}) =>
    found({
      clock: () => ({ now: 2e12 + off * minutes, latest }),
      ask: async () => ({ answer: ok({ account: null }), date }),
    })
  for (const off of [-4, 0, 4]) expect(await clock(off)).toEqual([])
  for (const off of [-6, 6, -24 * 60, 24 * 60]) expect(await clock(off)).toEqual(['clock: bad -'])
  // `latest` is null if nothing was read from the service yet. `date` is null if the service sends no date or can't be reached.
  expect(await clock(30, { latest: null })).toEqual(['clock: bad -'])
  expect(await clock(0, { latest: null })).toEqual([])
  expect(await clock(24 * 60, { date: null })).toEqual([])
  expect(await clock(-24 * 60, { latest: 2e12, date: null })).toEqual(['clock: bad -'])
  expect(await clock(0, { latest: null, date: null })).toEqual(['clock: unknown -'])
})

const loads = async () => ok(undefined)
const nothing = () => undefined

test('reads the service’s clock even from an answer that rejects the key', async () => {
  const service = await startSampleService({ websites: 1, rate: 0, key: 'another-key-0123456789' })
  const dispatcher = createDispatcher()
  const key = () => new Secret('refused-key-0123456789')
  const client = createService({ address: service.address, key, dispatcher })
  const serviceAnswer = await readAnswerAndDate(
    client,
    { current: key, state: () => 'stored', load: loads },
    nothing,
    nothing,
  )
  expect(serviceAnswer.answer).toMatchObject({ ok: false, error: { code: 'unauthenticated' } })
  expect(Math.abs(Date.now() - (serviceAnswer.date ?? 0))).toBeLessThan(60_000)
  await dispatcher.destroy()
  await service.close()
})

test('sends a request without a key if there is none, and reports whether the service answers', async () => {
  const service = await startSampleService({ websites: 1, rate: 0, key: 'another-key-0123456789' })
  const dispatcher = createDispatcher()
  const current = () => null
  const client = createService({ address: service.address, key: current, dispatcher })
  const codeOf = async (state: KeyState) => {
    const { answer, date } = await readAnswerAndDate(
      client,
      { current, state: () => state, load: loads },
      nothing,
      nothing,
    )
    // Even an answer to a request without a key has the service's date.
    expect(date === null).toBe(!answer.ok && answer.error.code === 'unreachable')
    return answer.ok ? 'ok' : answer.error.code
  }
  expect(await codeOf('missing')).toBe('key-missing')
  expect(await codeOf('locked')).toBe('keychain-locked')
  expect(service.store.requests()).toHaveLength(2)
  await service.close()
  for (const state of ['missing', 'locked'] as const) expect(await codeOf(state)).toBe('unreachable')
  await dispatcher.destroy()
})

test('does not read the keychain for a key that may not be loaded', async () => {
  const dispatcher = createDispatcher()
  const current = () => null
  const client = createService({ address: 'http://127.0.0.1:1', key: current, dispatcher })
  let reads = 0
  const load = async () => ok(void (reads += 1))
  await readAnswerAndDate(client, { current, state: () => 'locked', load }, nothing, nothing, false)
  expect(reads).toBe(0)
  await dispatcher.destroy()
})

test.each(['loading', 'locked'] as const)(
  'loads a %s key once and tells its account, and reports each read whose key the service has accepted',
  async (before) => {
    const service = await startSampleService({ websites: 1, rate: 0, key: 'right-key-0123456789' })
    const dispatcher = createDispatcher()
    let key: Secret | null = null
    const current = () => key
    const client = createService({ address: service.address, key: current, dispatcher })
    const load = async () => {
      key = new Secret('right-key-0123456789')
      return ok(undefined)
    }
    let told = 0
    const state = () => (key === null ? before : 'stored')
    let accepted = 0
    const read = () =>
      readAnswerAndDate(
        client,
        { current, state, load },
        () => void (told += 1),
        () => void (accepted += 1),
      )
    expect((await read()).answer).toMatchObject({ ok: true })
    expect((await read()).answer).toMatchObject({ ok: true })
    expect(told).toBe(1)
    expect(accepted).toBe(2)
    await service.close()
    expect((await read()).answer).toMatchObject({ ok: false })
    expect(accepted).toBe(2)
    await dispatcher.destroy()
  },
)

test('reports a keychain that stores an entry and doesn’t return it, and deletes the entry', async () => {
  const calls: string[] = []
  const tell = <T>(call: string, answer: T) => {
    calls.push(call)
    return Promise.resolve(answer)
  }
  const keychain = {
    set: (name: string) => tell(`set ${name}`, ok(undefined)),
    get: (name: string) => tell(`get ${name}`, fail('keychain-locked')),
    delete: (name: string) => tell(`delete ${name}`, ok(undefined)),
  }
  expect(await tryKeychain(keychain)).toMatchObject({ ok: false, error: { code: 'keychain-locked' } })
  expect(calls).toEqual(['set set-up:probe', 'get set-up:probe', 'delete set-up:probe'])
})
