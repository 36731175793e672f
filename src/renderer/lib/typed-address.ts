import { normalizeAddress } from '../../shared/address.ts'

/** Errors that further typing can't correct, so that they are shown before the field is left. */
export type TypingError = 'spaces' | 'scheme' | 'login'

/** Returns the error in a typed address that further typing can't correct, or null. */
export function typingErrorIn(typed: string): TypingError | null {
  const text = typed.trim()
  if (/\s/.test(text)) return 'spaces'
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return 'scheme'
  return /^(?:https?:\/\/)?[^/?#]*@/i.test(text) ? 'login' : null
}

/** The address that will be used. `cut`: the part of the typed text that was left out, such as a path. */
export interface CorrectedAddress {
  address: string
  cut: string
}

/** Returns the address that will be used; null if the text is not an address, or already is this address. */
export function correctedAddress(typed: string): CorrectedAddress | null {
  const read = normalizeAddress(typed)
  if (!read.ok) return null
  const { address } = read.value
  const text = typed.trim()
  const scheme = /^[a-z]+/i.exec(address)?.[0] ?? 'https'
  const whole = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`).href
  const cut = whole.slice(address.length).replace(/^\/$/, '')
  return cut === '' && text.replace(/\/$/, '') === address ? null : { address, cut }
}

/** Returns a typed address without its path, which may be that of a web page. Null if it has no path or isn't an address. */
export function withoutPath(typed: string): string | null {
  const read = normalizeAddress(typed)
  if (!read.ok) return null
  const { origin } = new URL(read.value.address)
  return origin === read.value.address ? null : origin
}

/** Returns the only address in a text, such as a curl example. Null if the text is itself an address. */
export function onlyAddressIn(pasted: string): string | null {
  const text = pasted.trim()
  if (!/[\s'"<>]/.test(text)) return null
  const found = new Set(text.match(/https?:\/\/[^\s'"<>\\]+/gi))
  const [first] = found
  return found.size === 1 && first !== undefined ? first : null
}
