import { spawn, execFileSync, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const SECRETS = '/org/freedesktop/secrets'
const lockEverything = [
  '--session',
  '--print-reply',
  '--dest=org.freedesktop.secrets',
  SECRETS,
  'org.freedesktop.Secret.Service.Lock',
  `array:objpath:${SECRETS}/collection/login`,
]

export interface KeychainChild {
  ask<T = unknown>(command: string, ...args: string[]): Promise<T>
  /** Processes and bus of the private keychain. */
  lock(): void
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

export interface ChildOptions {
  stored?: string[]
  timeLimit?: number
  /** Without a keychain: a bus address that nobody listens at. */
  without?: 'keychain'
}

/** Starts keychain-process.ts on a private, unlocked keychain of its own, or where there is none. */
export async function startKeychainChild(options: ChildOptions = {}): Promise<KeychainChild> {
  const script = [
    file('./keychain-process.ts'),
    JSON.stringify(options.stored ?? []),
    String(options.timeLimit ?? 5000),
  ]
  const env: NodeJS.ProcessEnv = { ...process.env }
  delete env['DISPLAY']
  const reporter = `console.error('env ' + JSON.stringify([process.env.DBUS_SESSION_BUS_ADDRESS, process.env.KEYRING_PID]))`
  const node = [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(reporter)}`, ...script]
  const command =
    options.without === 'keychain' ? node : [process.execPath, file('../../../scripts/with-keyring.mjs'), ...node]
  if (options.without === 'keychain') env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent/bus'
  const child = spawn(command[0] as string, command.slice(1), { env, stdio: 'pipe' })
  const [bus, pid] = await privateKeyring(child)

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
    lock: () =>
      void execFileSync('dbus-send', lockEverything, {
        env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: bus },
        stdio: 'ignore',
      }),
    freeze: () => void process.kill(pid, 'SIGSTOP'),
    thaw: () => void process.kill(pid, 'SIGCONT'),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.stdin.end()
      }),
  }
}

function privateKeyring(child: ChildProcess): Promise<[bus: string, pid: number]> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the keychain process ended with ${code}`)))
    let said = ''
    child.stderr?.on('data', (chunk) => {
      said += String(chunk)
      const found = /^env (.*)$/m.exec(said)
      if (found === null) return
      const [bus, pid] = JSON.parse(found[1] as string) as [string, string | null]
      resolve([bus, Number(pid)])
    })
  })
}
