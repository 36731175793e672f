import type { Bridge, Message } from './bridge.ts'

/** The event that hands the channel from the preload's world to the page's. */
export const HELLO = 'electron-host-hello'

/**
 * Runs in the page's own world before any script of the page, and waits for the preload's world to hand over the
 * channel: an EventTarget that belongs to no document, so that the page can't find it. DOM objects cross worlds,
 * `relatedTarget` carries it. As in bridge.ts, every builtin is taken before the page can replace it.
 */
export function preparePage(hello: string, createBridge: (send: (message: Message) => void) => Bridge): void {
  if (window !== window.top) return // subframes have no preload
  const { apply, construct, defineProperty } = Reflect
  const { addEventListener, removeEventListener, dispatchEvent } = EventTarget.prototype
  const stopImmediatePropagation = Event.prototype.stopImmediatePropagation
  const getterOf = (prototype: object, name: string): (() => unknown) =>
    Object.getOwnPropertyDescriptor(prototype, name)?.get as () => unknown
  const detailOf = getterOf(CustomEvent.prototype, 'detail')
  const relatedTargetOf = getterOf(MouseEvent.prototype, 'relatedTarget')
  const AnyEvent = CustomEvent
  const AnyError = Error
  const textOf = String

  const fixed = (target: object, key: string, value: unknown, enumerable: boolean, open: boolean): void => {
    const descriptor = { __proto__: null, value, enumerable, writable: open, configurable: open }
    if (!defineProperty(target, key, descriptor as PropertyDescriptor)) throw new AnyError(`can't define ${key}`)
  }

  const meet = (event: Event): void => {
    apply(removeEventListener, window, [hello, meet, true])
    apply(stopImmediatePropagation, event, [])
    const channel = apply(relatedTargetOf, event, []) as EventTarget
    const send = (detail: Message): void => {
      apply(dispatchEvent, channel, [construct(AnyEvent, ['to-preload', { __proto__: null, detail }])])
    }
    const bridge = createBridge(send)
    const expose = (key: string, api: Parameters<Bridge['unwrap']>[0]): void => {
      if (key in window) send(['exists', key])
      else fixed(window, key, bridge.unwrap(api, true), true, false)
    }
    const receive = (event: Event): void => {
      const message = apply(detailOf, event, []) as Message
      if (message[0] === 'expose') expose(message[1], message[2])
      else bridge.receive(message)
    }
    apply(addEventListener, channel, ['to-page', receive])

    const text = (value: unknown): string => (value === undefined ? '' : textOf(value))
    const owned = {
      // The host opens no window for a page: whatever the app's handler says, the page gets null.
      open(url?: unknown, target?: unknown, features?: unknown): null {
        send(['open', text(url), text(target), text(features)])
        return null
      },
      close(): void {
        send(['close'])
      },
    }
    fixed(window, 'open', owned.open, true, true)
    fixed(window, 'close', owned.close, true, true)
  }
  apply(addEventListener, window, [hello, meet, true])
}
