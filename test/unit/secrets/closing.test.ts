import { expect, test } from 'vitest'
import { createKeychain, type Keytar } from '../../../src/main/secrets/keychain.ts'
import { ok } from '../../../src/shared/result.ts'

/** Returns a keychain whose answer the test controls. Its records can be closed, as a database can. */
function start() {
  let open = true
  const answer = Promise.withResolvers<string | null>()
  const record = <T>(value: T): T => {
    if (!open) throw new TypeError('The database connection is not open')
    return value
  }
  const keytar = { getPassword: () => answer.promise } as unknown as Keytar
  const keychain = createKeychain({
    load: () => Promise.resolve(keytar),
    service: 'test',
    records: { has: () => record(false), set: () => record(ok(undefined)), endingWith: () => record([]) },
  })
  return { keychain, answer: () => answer.resolve(null), closeRecords: () => (open = false) }
}

/** Waits 20 ms, in which every promise settles that can. */
const otherWork = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

test('after a quit, no pending call of the keychain settles, even if the keychain answers', async () => {
  const { keychain, answer, closeRecords } = start()
  const ended: unknown[] = []
  for (const pending of [keychain.get('one'), keychain.delete('two'), keychain.sweep()])
    pending.then(
      (value) => ended.push(value),
      (error: unknown) => ended.push(error),
    )
  await otherWork()
  keychain.close()
  closeRecords()
  answer()
  await otherWork()
  expect(ended).toEqual([])
})
