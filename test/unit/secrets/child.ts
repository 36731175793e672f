import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freeze, lock, thaw, unlock, type KeyringEnv } from '../../../scripts/keyring-states.mjs'

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** A process with its own keychain, in which a test runs commands. */
export interface KeychainChild {
  /** Runs a command of keychain-process.ts, and returns the answer. */
  ask<T = unknown>(command: string, ...args: string[]): Promise<T>
  lock(): void
  unlock(): Promise<void>
  /** Stops the keychain's process, so that it answers no call until `thaw`. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

export interface ChildOptions {
  /** Entries that the app has recorded as stored. The keychain itself is empty. */
  stored?: string[]
  /** Time limit of each keychain call in milliseconds. Default: 5000. */
  timeLimit?: number
  /**
   * The missing part of the keychain. `bus`: nothing listens at the bus address. `provider`: the bus has no keychain service.
   * `library`: libsecret can't be loaded.
   */
  without?: 'bus' | 'provider' | 'library'
}

/** Starts keychain-process.ts with its own unlocked keychain, or without one. */
export async function startKeychainChild(options: ChildOptions = {}): Promise<KeychainChild> {
  const script = [
    file('./keychain-process.ts'),
    JSON.stringify(options.stored ?? []),
    String(options.timeLimit ?? 5000),
  ]
  const env: NodeJS.ProcessEnv = { ...process.env }
  delete env['DISPLAY']
  const reporter = `console.error('env ' + JSON.stringify(process.env))`
  const node = [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(reporter)}`, ...script]
  const withKeyring = [process.execPath, file('../../../scripts/with-keyring.mjs')]
  const before = { bus: [], provider: lonelyBus(), library: [], none: withKeyring }[options.without ?? 'none']
  if (options.without === 'bus') env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent/bus'
  if (options.without === 'library') env['LD_LIBRARY_PATH'] = file('./no-library')
  const command = [...before, ...node]
  const child = spawn(command[0] as string, command.slice(1), { env, stdio: 'pipe' })
  const keyring = await privateKeyring(child)

  const waiting = new Map<number, (value: unknown) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [id, value] = JSON.parse(line) as [number, unknown]
    waiting.get(id)?.(value)
  })
  let last = 0
  return {
    ask: <T>(name: string, ...args: string[]) =>
      new Promise<T>((resolve) => {
        const id = ++last
        waiting.set(id, resolve as (value: unknown) => void)
        child.stdin.write(`${JSON.stringify([id, name, ...args])}\n`)
      }),
    lock: () => lock(keyring),
    unlock: () => unlock(keyring),
    freeze: () => freeze(keyring),
    thaw: () => thaw(keyring),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.stdin.end()
      }),
  }
}

/** Returns the start of a command line. The command after it runs with its own session bus, which can start no service. */
const lonelyBus = (): string[] => ['dbus-run-session', '--config-file', file('./lonely-bus.conf'), '--']

/** Resolves to the environment of the keychain's process, with the address of its private bus. */
function privateKeyring(child: ChildProcess): Promise<KeyringEnv> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the keychain process ended with ${code}`)))
    let output = ''
    child.stderr?.on('data', (chunk) => {
      output += String(chunk)
      const found = /^env (.*)$/m.exec(output)
      if (found === null) return
      resolve(JSON.parse(found[1] as string) as KeyringEnv)
    })
  })
}
