/* eslint-disable @typescript-eslint/no-require-imports -- it is loaded by `-r`, before any module */
/**
 * Loaded into main before the app: says `tray` once the tray has its menu. With SITEWARD_BENCH_TIMERS it notes the timers that the
 * app's own script has set, by whichever of Node's ways, and says at each SIGUSR2 which of them have come due since the last, as
 * JSON. At SIGWINCH the app is asked for its window, as by its icon, or the window is closed. Nothing in it waits for a time.
 */
const { app, BrowserWindow, Tray } = require('electron')
const { createHook } = require('node:async_hooks')
const { writeSync } = require('node:fs')

const say = (line) => writeSync(1, `siteward-bench ${line}\n`)

const { setContextMenu } = Tray.prototype
Tray.prototype.setContextMenu = function (menu) {
  setContextMenu.call(this, menu)
  Tray.prototype.setContextMenu = setContextMenu
  say('tray')
}

/** Milliseconds of the timers that have come due, of those that the app's own script has set. */
const due = []
const isOurs = () => /[\\/]out[\\/]main[\\/]/.test(String(new Error().stack))
if (process.env.SITEWARD_BENCH_TIMERS !== undefined) {
  Error.stackTraceLimit = 30
  const ours = new Map()
  createHook({
    init(id, type, _trigger, timer) {
      if (type === 'Timeout' && isOurs()) ours.set(id, timer._idleTimeout)
    },
    before(id) {
      if (ours.has(id)) due.push(ours.get(id))
    },
    destroy: (id) => void ours.delete(id),
  }).enable()
}
process.on('SIGUSR2', () => say(JSON.stringify({ due: due.splice(0) })))

process.on('SIGWINCH', () => {
  const [window] = BrowserWindow.getAllWindows()
  if (window?.isVisible()) window.close()
  else app.emit('activate')
})
