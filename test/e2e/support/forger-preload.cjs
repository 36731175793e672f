/* eslint-disable @typescript-eslint/no-require-imports -- a preload script in the sandbox is CommonJS */
/** Gives a page what a compromised renderer has: any message, over any channel. */
const { contextBridge, ipcRenderer } = require('electron')

contextBridge.exposeInMainWorld('forge', (channel, ...values) => ipcRenderer.invoke(channel, ...values))
