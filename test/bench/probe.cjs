/* eslint-disable @typescript-eslint/no-require-imports -- it is loaded by `-r`, before any module */
/**
 * Loaded into main before the app: says `tray` once the tray has its menu, and at each SIGUSR2 which of its timers have
 * come due since the last, as JSON. Nothing in it waits for a time.
 */
const { Tray } = require('electron')
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
for (const name of ['setTimeout', 'setInterval']) {
  const set = globalThis[name]
  // What awaits one goes on as it did.
  globalThis[name] = Object.assign((call, ms = 0, ...given) => {
    if (!isOurs()) return set(call, ms, ...given)
    return set(
      (...all) => {
        due.push(ms)
        call(...all)
      },
      ms,
      ...given,
    )
  }, set)
}

process.on('SIGUSR2', () => say(JSON.stringify({ due: due.splice(0) })))
