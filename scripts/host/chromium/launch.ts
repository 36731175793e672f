import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as after } from 'node:timers/promises'
import { Connection } from './connection.ts'
import { chromiumArguments, type ChromiumOptions } from './switches.ts'

const QUIT_LIMIT = 4000

/** The shell outlives Chromium by one command: a profile is removed even when the host was killed. */
const RUN_THEN_REMOVE = 'profile=$1; shift; "$@"; rm -rf "$profile"'

export interface Chromium {
  connection: Connection
  /** Address for a second client; undefined without a debugging port. */
  devToolsUrl: () => Promise<string | undefined>
  stop: () => Promise<void>
  /** At once, for the host's own end. */
  kill: () => void
}

export async function launchChromium(options: Omit<ChromiumOptions, 'profile'>): Promise<Chromium> {
  const executable = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  if (!existsSync(executable)) throw new Error(`the development host needs Chromium: ${executable} is not there`)
  const profile = mkdtempSync(join(tmpdir(), 'electron-host-'))
  const args = ['-c', RUN_THEN_REMOVE, 'sh', profile, executable, ...chromiumArguments({ ...options, profile })]
  // A group of its own: Ctrl+C in a terminal is the host's to answer, and one signal ends all of it.
  const shell = spawn('/bin/sh', args, { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const closed = once(shell, 'close')
  const connection = new Connection(shell.stdio[3] as Writable, shell.stdio[4] as Readable)
  await connection.browser.send('Browser.getVersion')

  const kill = (): void => {
    if (shell.pid === undefined || shell.exitCode !== null || shell.signalCode !== null) return
    try {
      process.kill(-shell.pid, 'SIGKILL')
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // it has ended by itself
    }
  }
  return {
    connection,
    kill,
    devToolsUrl: async () => (options.debuggingPort === undefined ? undefined : await activePort(profile)),
    stop: async () => {
      connection.browser.tell('Browser.close')
      const limit = new AbortController()
      const overdue = after(QUIT_LIMIT, undefined, { signal: limit.signal }).then(kill, () => undefined)
      await closed
      limit.abort()
      await overdue
    },
  }
}

/** Chromium writes port and path of its DevTools server to a file of the profile as soon as it listens. */
async function activePort(profile: string): Promise<string> {
  const file = join(profile, 'DevToolsActivePort')
  for (;;) {
    const [port, path] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    if (port && path) return `ws://127.0.0.1:${port}${path}`
    await after(5)
  }
}
