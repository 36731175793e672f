import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from './app.ts'
import { joinBus } from './bus.ts'

/** A login manager, which announces over the system bus that the computer goes to sleep and wakes up. */
export interface LoginManager {
  env: { DBUS_SYSTEM_BUS_ADDRESS: string }
  sleep(): void
  wake(): void
  stop(): Promise<void>
}

/** https://www.freedesktop.org/software/systemd/man/latest/org.freedesktop.login1.html */
const LOGIN = 'org.freedesktop.login1'
const MANAGER = 'org.freedesktop.login1.Manager'

async function startLoginManager(): Promise<LoginManager> {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-login-'))
  const address = `unix:path=${folder}/bus`
  // Configured as a session bus, because the configuration of the system bus allows only root to own names.
  const args = ['--session', '--nofork', '--nopidfile', '--print-address=1', `--address=${address}`]
  const daemon = spawn('dbus-daemon', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(daemon.stdout, 'data')
  const bus = await joinBus(address)
  await bus.serve(LOGIN, MANAGER, {})
  const prepare = (forSleep: boolean): void =>
    bus.emit('/org/freedesktop/login1', MANAGER, 'PrepareForSleep', 'b', forSleep)
  return {
    env: { DBUS_SYSTEM_BUS_ADDRESS: address },
    sleep: () => prepare(true),
    wake: () => prepare(false),
    async stop() {
      await bus.leave()
      const ended = once(daemon, 'close')
      daemon.kill()
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

export const test = base.extend<{ login: LoginManager }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  login: async ({}, use, testInfo) => {
    testInfo.skip(process.platform !== 'linux', 'only the login manager of Linux can be stood in for, over D-Bus')
    const login = await startLoginManager()
    await use(login)
    await login.stop()
  },
  session: ({ login }, use) => use(login.env),
})
