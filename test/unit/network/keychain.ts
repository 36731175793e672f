import { onTestFinished } from 'vitest'
import { createKeychain, type Keychain, type Keytar } from '../../../src/main/secrets/keychain.ts'
import { openAppStore } from '../../../src/main/storage/app.ts'

/** Returns a keychain in memory, its entries, and the names of the reads so far. `missing`: a computer without one. */
export function memoryKeychain({ missing = false } = {}): {
  keychain: Keychain
  entries: Map<string, string>
  reads: string[]
} {
  const app = openAppStore(':memory:')
  if (!app.ok) throw new Error(app.error.code)
  onTestFinished(() => app.value.close())
  const entries = new Map<string, string>()
  const reads: string[] = []
  const keytar: Keytar = {
    async getPassword(_service, name) {
      reads.push(name)
      return entries.get(name) ?? null
    },
    setPassword: async (_service, name, text) => void entries.set(name, text),
    deletePassword: async (_service, name) => entries.delete(name),
  }
  const load = () => (missing ? Promise.reject(new Error('There is none.')) : Promise.resolve(keytar))
  return { keychain: createKeychain({ load, service: 'test', records: app.value.keychainRecords }), entries, reads }
}
