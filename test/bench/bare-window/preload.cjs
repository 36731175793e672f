/* eslint-disable @typescript-eslint/no-require-imports -- a sandboxed preload script has no modules */
const { contextBridge, ipcRenderer } = require('electron')

contextBridge.exposeInMainWorld('bare', {
  /** Appends a text to a file in main, and returns once the file is synced. */
  append: (text) => ipcRenderer.invoke('bench:append', text),
})
