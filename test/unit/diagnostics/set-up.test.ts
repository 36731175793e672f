import { expect, test } from 'vitest'
import { checkSetUp, type SetUpParts } from '../../../src/main/diagnostics/set-up.ts'
import { fail, ok, type ErrorCode } from '../../../src/shared/result.ts'

const working: SetUpParts = {
  freeBytes: async () => ok(5e9),
  clock: () => ({ now: 2e12, latest: 1.9e12 }),
  keychain: async () => ok(undefined),
  ask: async () => ok({ account: null }),
  secure: () => true,
  tray: async () => true,
}

/** What isn't good, as `part: found code`. */
async function found(change: Partial<SetUpParts>): Promise<string[]> {
  const checks = await checkSetUp({ ...working, ...change })
  return checks.flatMap((one) => (one.found === 'good' ? [] : `${one.part}: ${one.found} ${one.code ?? '-'}`))
}

test('where everything works each part is good, in one order', async () => {
  const checks = await checkSetUp(working)
  expect(checks.map(({ part }) => part)).toEqual(['disk', 'clock', 'keychain', 'address', 'tls', 'key', 'tray'])
  expect(await found({})).toEqual([])
})

test('what fails is told at its own part, and what can’t be told behind it is said to be so', async () => {
  const asked = (code: ErrorCode) => found({ ask: async () => fail(code) })
  expect(await asked('name-lookup')).toEqual(['address: bad name-lookup', 'tls: unknown -', 'key: unknown -'])
  expect(await asked('certificate')).toEqual(['tls: bad certificate', 'key: unknown -'])
  expect(await asked('unauthenticated')).toEqual(['key: bad unauthenticated'])
  expect(await found({ ask: async () => null, secure: () => null })).toEqual([
    'address: unknown -',
    'tls: unknown -',
    'key: unknown -',
  ])
  expect(await found({ secure: () => false })).toEqual(['tls: bad -'])
})

test('a full disk, a locked keychain, a clock that went back a tray that doesn’t tell, and one that isn’t needed', async () => {
  expect(await found({ freeBytes: async () => ok(1000) })).toEqual(['disk: bad disk-full'])
  expect(await found({ freeBytes: async () => fail('storage') })).toEqual(['disk: bad storage'])
  expect(await found({ keychain: async () => fail('keychain-locked') })).toEqual(['keychain: bad keychain-locked'])
  expect(await found({ clock: () => ({ now: 1e12, latest: 2e12 }) })).toEqual(['clock: bad -'])
  expect(await found({ clock: () => ({ now: 1e12, latest: null }) })).toEqual(['clock: unknown -'])
  expect(await found({ tray: async () => null })).toEqual(['tray: unknown -'])
  expect(await found({ tray: async () => false })).toEqual(['tray: absent -'])
})
