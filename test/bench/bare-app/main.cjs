/* eslint-disable @typescript-eslint/no-require-imports -- an app without a bundler */
/** A minimal Electron app as a baseline: a tray icon with a menu if it starts hidden, otherwise a window with a static list. */
const { app, BrowserWindow, Menu, Tray } = require('electron')
const { join } = require('node:path')

let tray
let window
app.on('window-all-closed', () => undefined)
app.on('activate', () => window.show())
void app.whenReady().then(() => {
  if (process.argv.includes('--hidden')) {
    tray = new Tray(join(__dirname, 'icon.png'))
    tray.setContextMenu(Menu.buildFromTemplate([{ label: 'Quit', click: () => app.quit() }]))
  } else {
    window = new BrowserWindow({ width: 1180, height: 740 })
    void window.loadFile(join(__dirname, 'page', 'index.html'))
  }
})
