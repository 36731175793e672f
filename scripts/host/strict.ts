import { EventEmitter } from 'node:events'

/** Asked of any object by the language and by tools that print or compare it; nothing of Electron's has these names. */
const INNOCENT = new Set([
  'then',
  'toJSON',
  'inspect',
  'constructor',
  'nodeType',
  'asymmetricMatch',
  '$$typeof',
  '__esModule',
  'default',
])

export class MissingApi extends Error {
  constructor(api: string) {
    super(`the development host has no Electron API "${api}"`)
  }
}

/** What isn't there throws with its name, instead of being undefined. */
export function strict<T extends object>(target: T, name: string): T {
  return new Proxy(target, {
    get(object, key, receiver) {
      if (key in object || typeof key === 'symbol' || INNOCENT.has(key)) return Reflect.get(object, key, receiver)
      throw new MissingApi(`${name}.${key}`)
    },
  })
}

/** A module of Electron's that the host lacks altogether: may be imported, not used. */
export function missing(name: string): object {
  const refuse = (): never => {
    throw new MissingApi(name)
  }
  return new Proxy(refuse, {
    construct: refuse,
    get(_target, key) {
      if (typeof key === 'symbol' || INNOCENT.has(key)) return undefined
      throw new MissingApi(`${name}.${key}`)
    },
  })
}

/** As {@link StrictEmitter}, for objects without events. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- a base class: its constructor is what it's for
export class Strict {
  static readonly apiName: string = ''

  constructor() {
    return strict(this, new.target.apiName)
  }
}

type Listener = (...args: never[]) => void

/**
 * An emitter with Electron's name and known events. The constructor returns the strict form, so that private fields of
 * the classes below it are on that.
 */
export class StrictEmitter extends EventEmitter {
  static readonly apiName: string = ''
  static readonly events: readonly string[] = []

  constructor() {
    super()
    return strict(this, new.target.apiName)
  }

  override on(event: string | symbol, listener: Listener): this {
    checkEvent(this, event)
    return super.on(event, listener as () => void)
  }

  override once(event: string | symbol, listener: Listener): this {
    checkEvent(this, event)
    return super.once(event, listener as () => void)
  }

  override addListener(event: string | symbol, listener: Listener): this {
    return this.on(event, listener)
  }
}

export interface HostEvent {
  defaultPrevented: boolean
  preventDefault(): void
}

export const hostEvent = <T extends object>(more?: T): HostEvent & T => ({
  defaultPrevented: false,
  preventDefault() {
    this.defaultPrevented = true
  },
  ...(more as T),
})

function checkEvent(emitter: StrictEmitter, event: string | symbol): void {
  const { apiName, events } = emitter.constructor as typeof StrictEmitter
  if (typeof event === 'symbol' || events.includes(event)) return
  throw new MissingApi(`${apiName} event '${event}'`)
}
