import { onTestFinished } from 'vitest'
import { createKeychain, type Keychain, type Keytar } from '../../../src/main/secrets/keychain.ts'
import { openAppStore } from '../../../src/main/storage/app.ts'

/**
 * Returns a keychain in memory, its entries, and the names of all reads so far.
 * `missing`: the computer has no keychain.
 * `holdWrites`: writes wait until the returned function is called.
 */
export function memoryKeychain({ missing = false, timeLimit = 15_000 } = {}): {
  keychain: Keychain
  entries: Map<string, string>
  reads: string[]
  holdWrites: () => () => void
} {
  const app = openAppStore(':memory:')
  if (!app.ok) throw new Error(app.error.code)
  onTestFinished(() => app.value.close())
  const entries = new Map<string, string>()
  const reads: string[] = []
  let held = Promise.resolve()
  const holdWrites = () => {
    let release = () => {}
    held = new Promise((resolve) => (release = resolve))
    return () => release()
  }
  const keytar: Keytar = {
    async getPassword(_service, name) {
      reads.push(name)
      return entries.get(name) ?? null
    },
    async setPassword(_service, name, text) {
      await held
      entries.set(name, text)
    },
    deletePassword: async (_service, name) => entries.delete(name),
  }
  const load = () => (missing ? Promise.reject(new Error('There is none.')) : Promise.resolve(keytar))
  const records = app.value.keychainRecords
  return { keychain: createKeychain({ load, service: 'test', records, timeLimit }), entries, reads, holdWrites }
}
