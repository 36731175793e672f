import { contextBridge, ipcRenderer, webFrame } from 'electron'
import type { CommandName, EventName } from './bridge.ts'
import { commandChannel, eventChannel } from './channels.ts'

/** The build fills in the names of the contract, because this script runs before each page and needs no schemas. */
declare const COMMAND_NAMES: readonly CommandName[]
declare const EVENT_NAMES: readonly EventName[]

const calls = Object.fromEntries(
  COMMAND_NAMES.map((name) => [name, (request: unknown) => ipcRenderer.invoke(commandChannel(name), request)]),
)

const on = (event: EventName, listener: (payload: unknown) => void): (() => void) => {
  if (!EVENT_NAMES.includes(event)) throw new Error('no such event')
  const handler = (_event: unknown, payload: unknown): void => listener(payload)
  ipcRenderer.on(eventChannel(event), handler)
  return () => void ipcRenderer.off(eventChannel(event), handler)
}

// The first formatting of a number or date takes long. It is done here, while the page's script is still loading.
setTimeout(() => new Intl.NumberFormat())

// Removes WebRTC, which the page does not need. A new frame would have it again, so main also blocks the network of the session.
void webFrame.executeJavaScript('delete window.RTCPeerConnection, delete window.webkitRTCPeerConnection')

// contextBridge freezes what it exposes.
contextBridge.exposeInMainWorld('siteward', { ...calls, on })
