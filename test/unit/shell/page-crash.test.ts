import type { BrowserWindow } from 'electron'
import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { reloadAfterCrash } from '../../../src/main/shell/page-crash.ts'

/** Returns a window whose page can crash. `steps` lists what is done to the window. */
function aWindow({ focused }: { focused: boolean }) {
  const steps: string[] = []
  let destroyed = false
  const page = Object.assign(new EventEmitter(), { reload: () => void steps.push('reload') })
  const window = {
    webContents: page,
    isDestroyed: () => destroyed,
    isFocused: () => focused,
    setFocusable: (focusable: boolean) => void steps.push(focusable ? 'focusable' : 'not focusable'),
    destroy() {
      destroyed = true
      steps.push('destroyed')
    },
  }
  reloadAfterCrash(window as unknown as BrowserWindow, {
    onReload: () => void steps.push('onReload'),
    onGiveUp: () => void steps.push('onGiveUp'),
    log: () => undefined,
  })
  return {
    steps,
    crash: () => page.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 }),
    loaded: () => page.emit('did-stop-loading'),
  }
}

test('reloads a page that crashes three times in a row, and closes the window at the fourth crash', () => {
  const { steps, crash } = aWindow({ focused: true })
  for (let n = 0; n < 3; n++) crash()
  expect(steps).toEqual(['reload', 'onReload', 'reload', 'onReload', 'reload', 'onReload'])
  crash()
  expect(steps.slice(6)).toEqual(['destroyed', 'onGiveUp'])
  crash()
  expect(steps).toHaveLength(8)
})

test.runIf(process.platform === 'linux')(
  'prevents a background window from taking the focus while its page reloads',
  () => {
    const { steps, crash, loaded } = aWindow({ focused: false })
    crash()
    expect(steps).toEqual(['not focusable', 'reload', 'onReload'])
    loaded()
    expect(steps.slice(3)).toEqual(['focusable'])
  },
)
