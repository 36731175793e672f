/** Runs the app's keychain code in a process with its own keychain. Reads and writes one JSON command or answer a line. */
import { createInterface } from 'node:readline'
import { createKeychain, type Keytar } from '../../../src/main/secrets/keychain.ts'
import { createSealer } from '../../../src/main/secrets/sealer.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'

const SERVICE = 'siteward-test'
/** The entries that are recorded as stored, even if the keychain does not contain them. */
const stored = new Set<string>(JSON.parse(process.argv[2] ?? '[]') as string[])
const timeLimit = Number(process.argv[3] ?? 5000)

/** Native calls: running now, the most that ran at once, and all. */
const calls = { now: 0, most: 0, all: 0 }
function counted<A extends unknown[], R>(call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    calls.all += 1
    calls.most = Math.max(calls.most, ++calls.now)
    return call(...args).finally(() => (calls.now -= 1))
  }
}

const keychain = createKeychain({
  async load() {
    const keytar = (await import('keytar')).default as Keytar
    return {
      getPassword: counted(keytar.getPassword),
      setPassword: counted(keytar.setPassword),
      deletePassword: counted(keytar.deletePassword),
    }
  },
  service: SERVICE,
  records: {
    has: (name) => stored.has(name),
    set(name, is) {
      if (is) stored.add(name)
      else stored.delete(name)
      return { ok: true, value: undefined }
    },
    endingWith: (end) => [...stored].filter((name) => name.endsWith(end)),
  },
  timeLimit,
})
const states: string[] = []
keychain.onState((state) => states.push(state))
const sealers = new Map<string, ReturnType<typeof createSealer>>()
/** Returns the connection's sealer, always the same one until `restart`. */
const sealer = (name: string) => {
  const known = sealers.get(name) ?? createSealer(keychain, name)
  sealers.set(name, known)
  return known
}

const commands: Record<string, (...args: string[]) => unknown> = {
  get: (name = '') => keychain.get(name),
  set: (name = '', text = '') => keychain.set(name, new Secret(text)),
  delete: (name = '') => keychain.delete(name),
  state: () => keychain.state(),
  calls: () => calls,
  states: () => states,
  stored: () => [...stored],
  /** Deletes an entry as another program or the user can. */
  removeByHand: async (name = '') => (await import('keytar')).default.deletePassword(SERVICE, name),
  /** Forgets which entries are stored. They stay in the keychain. */
  loseRecords: () => stored.clear(),
  restart: () => sealers.clear(),
  seal: async (name = '', text = '', domain = 'a.example') => {
    const sealed = await sealer(name).seal(text, domain)
    return sealed.ok ? { ok: true, value: Buffer.from(sealed.value).toString('base64') } : sealed
  },
  /** Seals two passwords at the same time, before a data key exists. */
  sealTwo: async (name = '', a = '', b = '') => {
    const both = await Promise.all([sealer(name).seal(a, 'a.example'), sealer(name).seal(b, 'a.example')])
    return both.map((sealed) => (sealed.ok ? Buffer.from(sealed.value).toString('base64') : null))
  },
  unseal: (name = '', sealed = '', domain = 'a.example') => sealer(name).unseal(Buffer.from(sealed, 'base64'), domain),
}

for await (const line of createInterface({ input: process.stdin })) {
  const [id, name, ...args] = JSON.parse(line) as [number, string, ...string[]]
  void Promise.resolve(commands[name]?.(...args)).then((value) =>
    process.stdout.write(`${JSON.stringify([id, value ?? null])}\n`),
  )
}
