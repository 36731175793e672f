import type { Bridge, Message } from './bridge.ts'
import type { Codec } from './codec.ts'

/** From the preload's world to Node. */
export type Upward =
  | { kind: 'send'; channel: string; args: unknown[] }
  | { kind: 'invoke'; id: number; channel: string; args: unknown[] }
  | { kind: 'open'; url: string; frameName: string; features: string }
  | { kind: 'close' }
  | { kind: 'title'; title: string }

/** From Node to the preload's world. */
export type Downward =
  | { kind: 'event'; channel: string; args: unknown[] }
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'failure'; id: number; message: string }

export interface PreloadSetting {
  hello: string
  /** Names of the function that Chromium puts in this world, and of the one that Node calls. */
  toNode: string
  fromNode: string
  process: Record<string, unknown>
}

type Listener = (event: object, ...args: unknown[]) => void
type RunPreload = (require: (name: string) => unknown, process: object, module: object, exports: object) => void

/**
 * Runs in the preload's own world, which shares the document with the page and nothing else. Gives the preload what a
 * sandboxed one gets: `require('electron')` with contextBridge and ipcRenderer, and a part of `process`.
 * It must not refer to anything outside of itself.
 */
export function runPreload(
  setting: PreloadSetting,
  codec: Codec,
  createBridge: (send: (message: Message) => void) => Bridge,
  preload: RunPreload,
): void {
  if (window !== window.top) return
  const world = globalThis as unknown as Record<string, unknown>
  const binding = world[setting.toNode] as (text: string) => void
  Reflect.deleteProperty(world, setting.toNode)
  const toNode = (message: Upward): void => binding(codec.pack(message))

  const channel = new EventTarget()
  const toPage = (detail: Message): void => void channel.dispatchEvent(new CustomEvent('to-page', { detail }))
  const bridge = createBridge(toPage)
  let existing: string | null = null

  const opened = (url: string, frameName: string, features: string): void => {
    const absolute = URL.canParse(url || 'about:blank', document.baseURI)
      ? new URL(url || 'about:blank', document.baseURI).href
      : ''
    toNode({ kind: 'open', url: absolute, frameName, features })
  }
  channel.addEventListener('to-preload', (event) => {
    const message = (event as CustomEvent<Message>).detail
    if (message[0] === 'exists') existing = message[1]
    else if (message[0] === 'open') opened(message[1], message[2], message[3])
    else if (message[0] === 'close') toNode({ kind: 'close' })
    else bridge.receive(message)
  })
  window.dispatchEvent(new MouseEvent(setting.hello, { relatedTarget: channel }))
  document.addEventListener('DOMContentLoaded', () => {
    let told: string | null = null
    const tell = (): void => {
      if (told !== document.title) toNode({ kind: 'title', title: (told = document.title) })
    }
    tell()
    new MutationObserver(tell).observe(document.head, { subtree: true, childList: true, characterData: true })
  })
  // Makes every close ask first; the host answers, by the window's `close` event.
  window.addEventListener('beforeunload', (event) => event.preventDefault())

  const contextBridge = {
    exposeInMainWorld(key: string, api: unknown): void {
      existing = null
      toPage(['expose', key, bridge.wrap(api)])
      if (existing !== null) {
        throw new Error(`Cannot bind an API on top of an existing property on the window object: ${existing}`)
      }
    },
  }

  const listeners = new Map<string, { heard: Listener; asked: Listener }[]>()
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>()
  let lastId = 0
  const listen = (name: string, heard: Listener, asked: Listener): object => {
    listeners.set(name, [...(listeners.get(name) ?? []), { heard, asked }])
    return ipcRenderer
  }
  const on = (name: string, listener: Listener): object => listen(name, listener, listener)
  const off = (name: string, listener: Listener): object => {
    const kept = (listeners.get(name) ?? []).filter(({ asked }) => asked !== listener)
    listeners.set(name, kept)
    return ipcRenderer
  }
  const once = (name: string, listener: Listener): object =>
    listen(
      name,
      (...args) => {
        off(name, listener)
        listener(...args)
      },
      listener,
    )
  const ipcRenderer = {
    on,
    once,
    off,
    addListener: on,
    removeListener: off,
    removeAllListeners(name: string): object {
      listeners.delete(name)
      return ipcRenderer
    },
    send: (name: string, ...args: unknown[]): void => toNode({ kind: 'send', channel: name, args }),
    invoke: (name: string, ...args: unknown[]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const id = ++lastId
        toNode({ kind: 'invoke', id, channel: name, args })
        waiting.set(id, { resolve, reject })
      }),
  }

  const emit = (name: string, args: unknown[]): void => {
    for (const { heard } of listeners.get(name) ?? []) {
      try {
        heard({ sender: ipcRenderer, ports: [] }, ...args)
      } catch (error) {
        reportError(error)
      }
    }
  }
  const fromNode = (text: string): void => {
    const message = codec.unpack(text) as Downward
    if (message.kind === 'event') return emit(message.channel, message.args)
    const call = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.kind === 'result') call?.resolve(message.value)
    else call?.reject(new Error(message.message))
  }
  Object.defineProperty(world, setting.fromNode, { value: fromNode })

  const lacking = <T extends object>(name: string, api: T): T =>
    new Proxy(api, {
      get(target, key) {
        if (key in target || typeof key === 'symbol' || key === 'then') return Reflect.get(target, key)
        throw new Error(`the development host has no Electron API "${name}.${key}"`)
      },
    })
  // What is given to the page must not be a proxy: the members are plain functions.
  const electron = lacking('electron/renderer', {
    contextBridge: lacking('contextBridge', contextBridge),
    ipcRenderer: lacking('ipcRenderer', ipcRenderer),
    __esModule: undefined,
    default: undefined,
  })
  const require = (name: string): unknown => {
    if (name === 'electron' || name === 'electron/renderer') return electron
    throw new Error(`module not found: ${name}`)
  }
  preload(require, setting.process, { exports: {} }, {})
}
