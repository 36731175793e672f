import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { createInterface } from 'node:readline'
import { setTimeout as after } from 'node:timers/promises'
import { Connection } from './connection.ts'
import { chromiumArguments, type ChromiumOptions } from './switches.ts'

const QUIT_LIMIT = 4000

/** The shell outlives Chromium by one command: a profile is removed even when the host was killed. */
const RUN_THEN_REMOVE = 'profile=$1; shift; "$@"; rm -rf "$profile"'

export interface Chromium {
  connection: Connection
  /** Address for a second client; never settles without a debugging port that Chromium can listen on. */
  devToolsUrl: Promise<string>
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
  const shell = spawn('/bin/sh', args, { detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] })
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
    devToolsUrl: devToolsAddress(shell.stdio[2] as Readable),
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

/** Chromium says where its DevTools server listens; the rest of what it says is of no use to an app's developer. */
function devToolsAddress(errors: Readable): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: errors }).on('line', (line) => {
      const [, address] = /^DevTools listening on (ws:\S+)/.exec(line) ?? []
      if (address !== undefined) resolve(address)
    })
  })
}
