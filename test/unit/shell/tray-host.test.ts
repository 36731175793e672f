import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startKeyring } from '../../../scripts/with-keyring.mjs'
import { createTrayPanelCheck } from '../../../src/main/shell/tray-host.ts'
import { startPanel } from '../../e2e/support/panel.ts'

describe.runIf(process.platform === 'linux')('on Linux', () => {
  const programs = mkdtempSync(join(tmpdir(), 'siteward-programs-'))
  let session: Awaited<ReturnType<typeof startKeyring>>

  beforeAll(async () => {
    session = await startKeyring()
  })
  afterAll(async () => {
    await session.stop()
    rmSync(programs, { recursive: true })
  })

  /** Asks whether there is a tray, as an app in this session does. */
  const hasTray = (change: NodeJS.ProcessEnv = {}) =>
    createTrayPanelCheck('linux', { PATH: process.env['PATH'], ...session.env, ...change }).ask()
  const panel = (options?: { host: boolean }) => startPanel(session.env['DBUS_SESSION_BUS_ADDRESS'] ?? '', options)

  test('reports a panel while it runs', async () => {
    expect(await hasTray()).toBe(false)
    const shown = await panel()
    expect(await hasTray()).toBe(true)
    await shown.stop()
    expect(await hasTray()).toBe(false)
  })

  test('reports no panel if only a watcher runs, which lists icons but shows none', async () => {
    const listing = await panel({ host: false })
    expect(await hasTray()).toBe(false)
    await listing.stop()
  })

  test('asks with dbus-send if gdbus is not installed', async () => {
    symlinkSync(execFileSync('which', ['dbus-send'], { encoding: 'utf8' }).trim(), join(programs, 'dbus-send'))
    const shown = await panel()
    expect(await hasTray({ PATH: programs })).toBe(true)
    await shown.stop()
    expect(await hasTray({ PATH: programs })).toBe(false)
  })

  test('reports null without a bus, or without a program that can ask it', async () => {
    expect(await hasTray({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent', XDG_RUNTIME_DIR: undefined })).toBeNull()
    expect(await hasTray({ PATH: '/nonexistent' })).toBeNull()
  })

  test('returns the last answer without asking again, and undefined before the first', async () => {
    const panels = createTrayPanelCheck('linux', { PATH: '/nonexistent' })
    expect(panels.lastAnswer()).toBeUndefined()
    await panels.ask()
    expect(panels.lastAnswer()).toBeNull()
  })
})

test.each(['darwin', 'win32'] as const)('%s always shows icons, without asking', async (platform) => {
  const panels = createTrayPanelCheck(platform, {})
  expect(panels.lastAnswer()).toBe(true)
  expect(await panels.ask()).toBe(true)
})
