/** What crosses between the two worlds of a page; `detail` of an event, which Chromium clones for the world that reads it. */
export type Message =
  | ['call', number, Wrapped]
  | ['return', boolean, Wrapped]
  | ['settle', number, boolean, Wrapped]
  | ['expose', string, Wrapped]
  | ['exists', string]
  | ['open', string, string, string]
  | ['close']

/** A value, ready to cross: plain data as it is, the rest as a tree. */
export type Wrapped =
  | ['data', unknown]
  | ['function', number]
  | ['promise', number]
  | ['error', string, string, string]
  | ['array', Wrapped[]]
  | ['object', [string, Wrapped][]]
  | ['clone', unknown]
  | ['seen', number]

export interface Bridge {
  wrap(value: unknown): Wrapped
  /** With `frozen`, objects and arrays are frozen at every depth, as contextBridge does with what it exposes. */
  unwrap(wrapped: Wrapped, frozen: boolean): unknown
  receive(message: Message): void
}

/**
 * One half of contextBridge; the same text runs in the preload's world and in the page's. Functions stay where they
 * are and are called by number, promises are settled by number, everything else is copied.
 *
 * In the page's world any builtin may be replaced after this has run: so all are taken here at once, and below there is
 * no method call on a builtin, no iteration, no array write but through `define`, no options without `__proto__: null`.
 * It must not refer to anything outside of itself.
 */
export function createBridge(send: (message: Message) => void): Bridge {
  const { apply, defineProperty, getPrototypeOf } = Reflect
  const { freeze, keys } = Object
  const { isArray } = Array
  const cloneOf = structuredClone
  const textOf = String
  const AnyPromise = Promise
  const AnyError = Error
  const Refusal = TypeError
  const then = Promise.prototype.then
  const kindOf = Object.prototype.toString
  const objectPrototype = Object.prototype
  const arrayPrototype = Array.prototype
  const mapGet = Map.prototype.get
  const mapSet = Map.prototype.set
  const mapDelete = Map.prototype.delete
  const errorTypes = {
    __proto__: null,
    Error,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
  } as unknown as Record<string, ErrorConstructor | undefined>

  const functions = new Map<number, (...args: unknown[]) => unknown>()
  const promises = new Map<number, { resolve: (value: unknown) => void; reject: (reason: unknown) => void }>()
  const DEEPEST = 1000
  let lastId = 0
  let returned: { done: boolean; value: Wrapped } | null = null

  const define = (target: object, key: PropertyKey, value: unknown): void => {
    const descriptor = { __proto__: null, value, writable: true, enumerable: true, configurable: true }
    defineProperty(target, key, descriptor as PropertyDescriptor)
  }
  const push = (list: unknown[], item: unknown): void => define(list, list.length, item)

  /** Whether Chromium's own clone will do: data through and through, without cycles (they'd exceed the depth). */
  const isPlain = (value: unknown, depth: number): boolean => {
    if (typeof value === 'function' || typeof value === 'symbol') return false
    if (value === null || typeof value !== 'object') return true
    if (depth > 100) return false
    const prototype = getPrototypeOf(value)
    if (prototype !== objectPrototype && prototype !== arrayPrototype && prototype !== null) return false
    const names = keys(value)
    for (let i = 0; i < names.length; i++) {
      if (!isPlain((value as Record<string, unknown>)[names[i] as string], depth + 1)) return false
    }
    return true
  }

  const wrapError = (error: { name?: unknown; message?: unknown; stack?: unknown }): Wrapped => [
    'error',
    textOf(error.name),
    textOf(error.message),
    textOf(error.stack ?? ''),
  ]

  const wrapPromise = (promise: unknown): Wrapped => {
    const id = ++lastId
    const settle = (done: boolean) => (value: unknown) => {
      let wrapped: Wrapped
      try {
        wrapped = wrap(value)
      } catch (error) {
        send(['settle', id, false, wrapError(error as Error)])
        return
      }
      send(['settle', id, done, wrapped])
    }
    apply(then, promise, [settle(true), settle(false)])
    return ['promise', id]
  }

  const wrapFunction = (f: (...args: unknown[]) => unknown): Wrapped => {
    const id = ++lastId
    apply(mapSet, functions, [id, f])
    return ['function', id]
  }

  const isPromise = (value: object): boolean => {
    try {
      apply(then, value, [() => undefined, () => undefined])
      return true
    } catch {
      return false
    }
  }

  const wrapTree = (value: unknown, depth: number, seen: unknown[]): Wrapped => {
    if (typeof value === 'function') return wrapFunction(value as (...args: unknown[]) => unknown)
    if (typeof value === 'symbol') throw new Refusal('An object could not be cloned.')
    if (value === null || typeof value !== 'object') return ['data', value]
    if (depth > DEEPEST) throw new Refusal('Electron contextBridge recursion depth exceeded.')
    for (let i = 0; i < seen.length; i++) if (seen[i] === value) return ['seen', i]
    const kind = apply(kindOf, value, [])
    if (value instanceof AnyError || kind === '[object Error]') return wrapError(value as Error)
    if (kind === '[object Promise]' && isPromise(value)) return wrapPromise(value)
    push(seen, value)
    if (isArray(value)) return ['array', wrapItems(value, depth, seen)]
    if (kind === '[object Object]' || kind === '[object Module]') return ['object', wrapFields(value, depth, seen)]
    return ['clone', cloneOf(value)] // Date, Map, Blob …; throws for what can't be cloned
  }
  const wrapItems = (list: unknown[], depth: number, seen: unknown[]): Wrapped[] => {
    const items: Wrapped[] = []
    for (let i = 0; i < list.length; i++) push(items, wrapTree(list[i], depth + 1, seen))
    return items
  }
  const wrapFields = (value: object, depth: number, seen: unknown[]): [string, Wrapped][] => {
    const fields: [string, Wrapped][] = []
    const names = keys(value)
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string
      push(fields, [name, wrapTree((value as Record<string, unknown>)[name], depth + 1, seen)])
    }
    return fields
  }
  const wrap = (value: unknown): Wrapped => (isPlain(value, 0) ? ['data', value] : wrapTree(value, 0, []))

  const freezeDeep = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') return value
    const names = keys(value)
    for (let i = 0; i < names.length; i++) freezeDeep((value as Record<string, unknown>)[names[i] as string])
    return freeze(value)
  }

  const unwrapTree = (wrapped: Wrapped, frozen: boolean, seen: unknown[]): unknown => {
    switch (wrapped[0]) {
      case 'data':
        return frozen ? freezeDeep(wrapped[1]) : wrapped[1]
      case 'clone':
        push(seen, wrapped[1])
        return wrapped[1]
      case 'seen':
        return seen[wrapped[1]]
      case 'function':
        return proxyOf(wrapped[1])
      case 'promise':
        return pending(wrapped[1])
      case 'error':
        return unwrapError(wrapped[1], wrapped[2], wrapped[3])
      case 'array': {
        const list: unknown[] = []
        push(seen, list)
        const items = wrapped[1]
        for (let i = 0; i < items.length; i++) push(list, unwrapTree(items[i] as Wrapped, frozen, seen))
        return frozen ? freeze(list) : list
      }
      default: {
        const value = {}
        push(seen, value)
        const fields = wrapped[1]
        for (let i = 0; i < fields.length; i++) {
          const field = fields[i] as [string, Wrapped]
          define(value, field[0], unwrapTree(field[1], frozen, seen))
        }
        return frozen ? freeze(value) : value
      }
    }
  }
  const unwrap = (wrapped: Wrapped, frozen: boolean): unknown => unwrapTree(wrapped, frozen, [])

  const unwrapError = (name: string, message: string, stack: string): Error => {
    const Type = errorTypes[name] ?? AnyError
    const error = new Type(message)
    define(error, 'stack', stack)
    return error
  }

  /** A method's shorthand form makes a function without `prototype`, as contextBridge's are. */
  const proxyOf = (id: number): unknown =>
    ({
      call(...args: unknown[]): unknown {
        return call(id, args)
      },
    }).call

  const pending = (id: number): Promise<unknown> =>
    new AnyPromise((resolve, reject) => {
      apply(mapSet, promises, [id, { __proto__: null, resolve, reject }])
    })

  /** Events are dispatched synchronously: when `send` comes back, the answer has been received. */
  const call = (id: number, args: unknown[]): unknown => {
    returned = null
    send(['call', id, wrap(args)])
    const answer = returned as { done: boolean; value: Wrapped } | null
    returned = null
    if (answer === null) throw new AnyError('the other side of the bridge is gone')
    const value = unwrap(answer.value, false)
    if (answer.done) return value
    throw value
  }

  const answerCall = (id: number, args: Wrapped): Message => {
    try {
      const f = apply(mapGet, functions, [id]) as (...args: unknown[]) => unknown
      return ['return', true, wrap(apply(f, undefined, unwrap(args, false) as unknown[]))]
    } catch (error) {
      try {
        return ['return', false, wrap(error)]
      } catch {
        return ['return', false, ['error', 'Error', 'An error that could not be cloned', '']]
      }
    }
  }

  const settlePromise = (id: number, done: boolean, value: Wrapped): void => {
    const waiting = apply(mapGet, promises, [id])
    apply(mapDelete, promises, [id])
    if (done) waiting?.resolve(unwrap(value, false))
    else waiting?.reject(unwrap(value, false))
  }

  const receive = (message: Message): void => {
    if (message[0] === 'call') send(answerCall(message[1], message[2]))
    else if (message[0] === 'return') returned = { __proto__: null, done: message[1], value: message[2] } as never
    else if (message[0] === 'settle') settlePromise(message[1], message[2], message[3])
  }

  return { wrap, unwrap, receive }
}
