import { beforeEach, describe, expect, test, vi } from 'vitest'

const electron = vi.hoisted(() => ({
  app: { isPackaged: true, commandLine: { hasSwitch: (name: string): boolean => name === '' }, enableSandbox: vi.fn() },
}))
// What Electron says of its own start can't be had without its binary, packed.
vi.mock('electron', () => ({ ...electron, session: {}, shell: {} }))
const { asksForDebugging, sandboxPages } = await import('../../../src/main/shell/security.ts')

const startedWith = (given: string): void => {
  electron.app.commandLine.hasSwitch = (name) => name === given
}

describe('what is installed isn’t debugged', () => {
  beforeEach(() => void (electron.app.isPackaged = true))

  test.each(['remote-debugging-port', 'remote-debugging-pipe', 'inspect', 'inspect-brk', 'inspect-port', 'js-flags'])(
    'a start with --%s is refused',
    (name) => {
      startedWith(name)
      expect(asksForDebugging()).toBe(true)
    },
  )

  test('any other start isn’t, and while developing none is', () => {
    startedWith('user-data-dir')
    expect(asksForDebugging()).toBe(false)
    electron.app.isPackaged = false
    startedWith('inspect')
    expect(asksForDebugging()).toBe(false)
  })
})

describe('Chromium’s sandbox', () => {
  beforeEach(() => electron.app.enableSandbox.mockClear())

  test('holds every page', () => {
    startedWith('user-data-dir')
    sandboxPages()
    expect(electron.app.enableSandbox).toHaveBeenCalledOnce()
  })

  test('isn’t asked for where the start has switched it off, as the system forbids it: no page would come', () => {
    startedWith('no-sandbox')
    sandboxPages()
    expect(electron.app.enableSandbox).not.toHaveBeenCalled()
  })
})
