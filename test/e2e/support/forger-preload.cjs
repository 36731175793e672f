/** Gives a page what a compromised renderer has: any message, over any channel. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- a sandboxed preload script can’t import
const { contextBridge, ipcRenderer } = require('electron')

contextBridge.exposeInMainWorld('forge', (channel, ...values) => ipcRenderer.invoke(channel, ...values))
