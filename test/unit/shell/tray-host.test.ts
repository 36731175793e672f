import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startKeyring } from '../../../scripts/with-keyring.mjs'
import { createPanels } from '../../../src/main/shell/tray-host.ts'
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

  /** As the app asks that was started in this session. */
  const asked = (change: NodeJS.ProcessEnv = {}) =>
    createPanels('linux', { PATH: process.env['PATH'], ...session.env, ...change }).ask()
  const panel = (options?: { host: boolean }) => startPanel(session.env['DBUS_SESSION_BUS_ADDRESS'] ?? '', options)

  test('an icon is shown where a panel says so, and no longer when it has gone', async () => {
    expect(await asked()).toBe(false)
    const shown = await panel()
    expect(await asked()).toBe(true)
    await shown.stop()
    expect(await asked()).toBe(false)
  })

  test('one that only keeps the list of icons shows none', async () => {
    const listing = await panel({ host: false })
    expect(await asked()).toBe(false)
    await listing.stop()
  })

  test('where only the bus’ own program is there it’s asked by that', async () => {
    symlinkSync(execFileSync('which', ['dbus-send'], { encoding: 'utf8' }).trim(), join(programs, 'dbus-send'))
    const shown = await panel()
    expect(await asked({ PATH: programs })).toBe(true)
    await shown.stop()
    expect(await asked({ PATH: programs })).toBe(false)
  })

  test('without a bus, or without a program to ask it by, nothing is told', async () => {
    expect(await asked({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent', XDG_RUNTIME_DIR: undefined })).toBeNull()
    expect(await asked({ PATH: '/nonexistent' })).toBeNull()
  })

  test('an answer that is there already isn’t waited for', async () => {
    const panels = createPanels('linux', { PATH: '/nonexistent' })
    expect(panels.answer()).toBeUndefined()
    await panels.ask()
    expect(panels.answer()).toBeNull()
  })
})

test.each(['darwin', 'win32'] as const)('%s always shows icons, and nobody has to ask', async (platform) => {
  const panels = createPanels(platform, {})
  expect(panels.answer()).toBe(true)
  expect(await panels.ask()).toBe(true)
})
