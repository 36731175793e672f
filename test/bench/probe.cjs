/* eslint-disable @typescript-eslint/no-require-imports -- it is loaded by `-r`, before any module */
/** Loaded into the main process before the app: reports once the tray icon has its menu, and opens the window at SIGWINCH. */
const { app, Tray } = require('electron')
const { writeSync } = require('node:fs')

const { setContextMenu } = Tray.prototype
Tray.prototype.setContextMenu = function (menu) {
  setContextMenu.call(this, menu)
  Tray.prototype.setContextMenu = setContextMenu
  writeSync(1, 'siteward-bench tray\n')
}

process.on('SIGWINCH', () => app.emit('activate'))
