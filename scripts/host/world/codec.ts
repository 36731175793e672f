/** Structured values as text, for the pipe between Node and the preload's world. */
export interface Codec {
  /** Throws what structured clone would throw. */
  pack(value: unknown): string
  unpack(text: string): unknown
}

/**
 * What is JSON through and through crosses as it is, as fast as that is read. Anything else: JSON with tags, where an object
 * `{ $: tag, v }` stands for what JSON has no form for. Objects are counted as they are met, in the same order on both
 * sides, so `{ $: 'ref', v: n }` is the n-th of them: cycles and shared objects survive.
 *
 * The text of this function runs in the page's process too: it must not refer to anything outside of itself.
 */
export function createCodec(): Codec {
  type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
  const errors: Record<string, ErrorConstructor> = {
    Error,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
  }
  const views: Record<string, new (buffer: ArrayBuffer) => unknown> = {
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
    DataView,
  }

  const refuse = (value: unknown): never => {
    const what = typeof value === 'object' ? Object.prototype.toString.call(value) : typeof value
    throw new DOMException(`An object could not be cloned. (${what})`, 'DataCloneError')
  }
  const define = (target: object, key: string, value: unknown): void => {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  }
  const toBase64 = (bytes: Uint8Array): string => {
    let text = ''
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
    return btoa(text)
  }
  const fromBase64 = (text: string): ArrayBuffer => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer

  const { getPrototypeOf } = Object
  /** Whether JSON has a form for all of it, and nothing of it is met twice. */
  const isJson = (value: unknown, met: Set<object>): boolean => {
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
    if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
    if (typeof value !== 'object' || met.has(value)) return false
    met.add(value)
    if (Array.isArray(value)) {
      // A hole is read as undefined.
      return getPrototypeOf(value) === Array.prototype && Array.from(value).every((item) => isJson(item, met))
    }
    const prototype: unknown = getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) return false
    if (Object.prototype.toString.call(value) !== '[object Object]') return false
    for (const key in value) {
      if (key === 'toJSON' || !isJson((value as Record<string, unknown>)[key], met)) return false
    }
    return true
  }

  const encode = (value: unknown, met: Map<object, number>): Json => {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value
      case 'number':
        if (Object.is(value, -0)) return { $: 'number', v: '-0' }
        return Number.isFinite(value) ? value : { $: 'number', v: String(value) }
      case 'undefined':
        return { $: 'undefined' }
      case 'bigint':
        return { $: 'bigint', v: String(value) }
      case 'object':
        return value === null ? null : encodeObject(value, met)
      default:
        return refuse(value)
    }
  }
  const encodeObject = (value: object, met: Map<object, number>): Json => {
    const known = met.get(value)
    if (known !== undefined) return { $: 'ref', v: known }
    met.set(value, met.size)
    if (Array.isArray(value)) return Array.from(value, (item) => encode(item, met))
    if (value instanceof Date) return { $: 'date', v: encode(value.getTime(), met) }
    if (value instanceof RegExp) return { $: 'regexp', v: [value.source, value.flags] }
    if (value instanceof Map) return { $: 'map', v: [...value].map(([k, v]) => [encode(k, met), encode(v, met)]) }
    if (value instanceof Set) return { $: 'set', v: [...value].map((item) => encode(item, met)) }
    if (value instanceof Error) return { $: 'error', v: [value.name, value.message, value.stack ?? ''] }
    if (value instanceof ArrayBuffer) return { $: 'buffer', v: toBase64(new Uint8Array(value)) }
    if (ArrayBuffer.isView(value)) {
      const bytes = toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
      const name = value.constructor.name
      return { $: 'view', v: [name in views ? name : 'Uint8Array', bytes] }
    }
    const kind = Object.prototype.toString.call(value)
    if (kind !== '[object Object]') refuse(value)
    return encodeFields(value, met)
  }
  const encodeFields = (value: object, met: Map<object, number>): Json => {
    const fields: { [key: string]: Json } = {}
    for (const [key, field] of Object.entries(value)) define(fields, key, encode(field, met))
    return Object.hasOwn(fields, '$') ? { $: 'object', v: fields } : fields
  }

  const decode = (json: Json, met: unknown[]): unknown => {
    if (json === null || typeof json !== 'object') return json
    if (Array.isArray(json)) {
      const items: unknown[] = []
      met.push(items)
      for (const item of json) items.push(decode(item, met))
      return items
    }
    return typeof json['$'] === 'string' ? decodeTagged(json['$'], json['v'] as never, met) : decodeFields(json, met)
  }
  const decodeFields = (json: { [key: string]: Json }, met: unknown[]): object => {
    const fields = {}
    met.push(fields)
    for (const [key, field] of Object.entries(json)) define(fields, key, decode(field, met))
    return fields
  }
  // What follows was written by `encode`: the shape of `v` is known from the tag.
  const decodeTagged = (tag: string, v: never, met: unknown[]): unknown => {
    const remember = <T>(value: T): T => {
      met.push(value)
      return value
    }
    switch (tag) {
      case 'undefined':
        return undefined
      case 'number':
        return Number(v)
      case 'bigint':
        return BigInt(v)
      case 'ref':
        return met[v]
      case 'object':
        return decodeFields(v, met)
      case 'date':
        return remember(new Date(decode(v, met) as number))
      case 'regexp':
        return remember(new RegExp(v[0], v[1]))
      case 'buffer':
        return remember(fromBase64(v))
      case 'view': {
        const View = views[v[0]] ?? Uint8Array
        return remember(new View(fromBase64(v[1])))
      }
      case 'error': {
        const error = remember(new (errors[v[0]] ?? Error)(v[1]))
        define(error, 'stack', v[2])
        return error
      }
      case 'map': {
        const map = remember(new Map<unknown, unknown>())
        for (const [key, value] of v as [Json, Json][]) map.set(decode(key, met), decode(value, met))
        return map
      }
      default: {
        const set = remember(new Set<unknown>())
        for (const item of v as Json[]) set.add(decode(item, met))
        return set
      }
    }
  }

  return {
    pack: (value) =>
      isJson(value, new Set()) ? `=${JSON.stringify(value)}` : `$${JSON.stringify(encode(value, new Map()))}`,
    unpack: (text) => {
      const json = JSON.parse(text.slice(1)) as Json
      return text.startsWith('=') ? json : decode(json, [])
    },
  }
}
