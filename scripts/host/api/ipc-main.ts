import { EventEmitter } from 'node:events'
import { strict } from '../strict.ts'

type Handler = (event: unknown, ...args: unknown[]) => unknown

/** Its events are the app's own channels: any name is known. */
export class IpcMain extends EventEmitter {
  readonly #handlers = new Map<string, Handler>()

  handle = (channel: string, handler: Handler): void => {
    if (this.#handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    this.#handlers.set(channel, handler)
  }

  handleOnce = (channel: string, handler: Handler): void => {
    this.handle(channel, (...args) => {
      this.removeHandler(channel)
      return handler(...args)
    })
  }

  removeHandler = (channel: string): void => {
    this.#handlers.delete(channel)
  }

  /** For the host: what a page's ipcRenderer.invoke asks. */
  answer = async (channel: string, event: unknown, args: unknown[]): Promise<unknown> => {
    const handler = this.#handlers.get(channel)
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`)
    return await handler(event, ...args)
  }
}

export const createIpcMain = (): IpcMain => strict(new IpcMain(), 'ipcMain')
