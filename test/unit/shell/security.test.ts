import { beforeEach, describe, expect, test, vi } from 'vitest'

const electron = vi.hoisted(() => ({
  app: { isPackaged: true, commandLine: { hasSwitch: (name: string): boolean => name === '' }, enableSandbox: vi.fn() },
}))
// Stands for Electron's state at the start, which needs its binary.
vi.mock('electron', () => ({ ...electron, session: {}, shell: {} }))
const { asksForDebugging, sandboxPages } = await import('../../../src/main/shell/security.ts')

const startedWith = (given: string): void => {
  electron.app.commandLine.hasSwitch = (name) => name === given
}

describe('debugging of an installed app', () => {
  beforeEach(() => void (electron.app.isPackaged = true))

  test.each(['remote-debugging-port', 'remote-debugging-pipe', 'inspect', 'inspect-brk', 'inspect-port', 'js-flags'])(
    'a start with --%s is refused',
    (name) => {
      startedWith(name)
      expect(asksForDebugging()).toBe(true)
    },
  )

  test('accepts other switches, and every switch during development', () => {
    startedWith('user-data-dir')
    expect(asksForDebugging()).toBe(false)
    electron.app.isPackaged = false
    startedWith('inspect')
    expect(asksForDebugging()).toBe(false)
  })
})

describe('Chromium’s sandbox', () => {
  beforeEach(() => electron.app.enableSandbox.mockClear())

  test('covers every page', () => {
    startedWith('user-data-dir')
    sandboxPages()
    expect(electron.app.enableSandbox).toHaveBeenCalledOnce()
  })

  test('stays off if the start has switched it off, so that pages load', () => {
    startedWith('no-sandbox')
    sandboxPages()
    expect(electron.app.enableSandbox).not.toHaveBeenCalled()
  })
})
