/* eslint-disable @typescript-eslint/no-require-imports -- it is loaded by `-r`, before any module */
/**
 * Loaded into the main process before the app. Writes a line when the tray icon has its menu (`tray`) and when the list is
 * painted (`list`). Reads commands, one a line, and answers each one with its milliseconds.
 */
const { app, BrowserWindow, Tray, webContents } = require('electron')
const { writeSync } = require('node:fs')
const { createInterface } = require('node:readline')
const { setTimeout: wait } = require('node:timers/promises')
const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')

const report = (text) => writeSync(1, `siteward-bench ${text}\n`)
/** Waits in the page until a frame with rows is painted. A hidden page draws no frames. */
const PAINTED = `new Promise((resolve) => {
  const look = () => {
    if (!document.querySelector('[role=grid] [role=gridcell]:first-child')?.textContent) return requestAnimationFrame(look)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = resolve
    port2.postMessage(null)
  }
  requestAnimationFrame(look)
}).then(() => undefined)`

const { setContextMenu } = Tray.prototype
Tray.prototype.setContextMenu = function (menu) {
  setContextMenu.call(this, menu)
  Tray.prototype.setContextMenu = setContextMenu
  report('tray')
}
app.once('web-contents-created', (_event, contents) => {
  contents.once('dom-ready', () => void contents.executeJavaScript(PAINTED).then(() => report('list')))
})

const commands = {
  hide() {
    for (const window of BrowserWindow.getAllWindows()) window.hide()
  },
  async show() {
    app.emit('activate')
    await BrowserWindow.getAllWindows()[0].webContents.executeJavaScript(PAINTED)
  },
  /** Closes the window and waits until its page is unloaded, after 0.1 s instead of the app's ten minutes. */
  async release() {
    const { setTimeout } = globalThis
    globalThis.setTimeout = (call, ms, ...given) => setTimeout(call, ms === 600_000 ? 100 : ms, ...given)
    for (const window of BrowserWindow.getAllWindows()) window.close()
    while (BrowserWindow.getAllWindows().length > 0) await wait(50)
    globalThis.setTimeout = setTimeout
  },
  /** Collects the garbage of all processes, which V8 would do some minutes later. */
  async collect() {
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    for (const { debugger: page } of webContents.getAllWebContents()) {
      page.attach()
      await page.sendCommand('HeapProfiler.collectGarbage')
      page.detach()
    }
  },
}
createInterface(process.stdin).on('line', async (name) => {
  const begun = performance.now()
  await commands[name]()
  report(`${name} ${performance.now() - begun}`)
})
