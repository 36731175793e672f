import { contextBridge, ipcRenderer, webFrame } from 'electron'
import type { CommandName, EventName } from './bridge.ts'
import { commandChannel, commandNames, eventChannel, eventNames } from './channels.ts'

const calls = Object.fromEntries(
  (Object.keys(commandNames) as CommandName[]).map((name) => [
    name,
    (request: unknown) => ipcRenderer.invoke(commandChannel(name), request),
  ]),
)

const on = (event: EventName, listener: (payload: unknown) => void): (() => void) => {
  if (!Object.hasOwn(eventNames, event)) throw new Error('no such event')
  const heard = (_event: unknown, payload: unknown): void => listener(payload)
  ipcRenderer.on(eventChannel(event), heard)
  return () => void ipcRenderer.off(eventChannel(event), heard)
}

// The first format of numbers or dates takes the page's thread long: it's made while the page's script is still on its way.
setTimeout(() => new Intl.NumberFormat())

// The page has no use for peers. A frame of its own would bring it another one, so main also takes the network from the session.
void webFrame.executeJavaScript('delete window.RTCPeerConnection, delete window.webkitRTCPeerConnection')

// contextBridge freezes what it exposes.
contextBridge.exposeInMainWorld('siteward', { ...calls, on })
