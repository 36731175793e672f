import { normaliseAddress } from '../../shared/address.ts'

/** An error that further typing cannot correct, so it is shown before the field is left. */
export type TypingError = 'spaces' | 'scheme' | 'login'

/** Returns the error in a typed address that further typing cannot correct, or null. */
export function typingErrorIn(typed: string): TypingError | null {
  const text = typed.trim()
  if (/\s/.test(text)) return 'spaces'
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return 'scheme'
  return /^(?:https?:\/\/)?[^/?#]*@/i.test(text) ? 'login' : null
}

/**
 * The address that will be used instead of the typed text, if the two differ. `cut`: the part of the text that was left out, such
 * as the path of a documentation page.
 */
export interface CorrectedAddress {
  address: string
  cut: string
}

/** Returns the address that will be used; null if the text is no address, or is that address already. */
export function correctedAddress(typed: string): CorrectedAddress | null {
  const read = normaliseAddress(typed)
  if (!read.ok) return null
  const { address } = read.value
  const text = typed.trim()
  const scheme = /^[a-z]+/i.exec(address)?.[0] ?? 'https'
  const whole = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`).href
  const cut = whole.slice(address.length).replace(/^\/$/, '')
  return cut === '' && text.replace(/\/$/, '') === address ? null : { address, cut }
}

/** Returns a typed address without its path, which may be that of a page; null if it has no path, or is no address. */
export function withoutPath(typed: string): string | null {
  const read = normaliseAddress(typed)
  if (!read.ok) return null
  const { origin } = new URL(read.value.address)
  return origin === read.value.address ? null : origin
}

/**
 * Returns the only address in a text, such as an example from the documentation; null if the text is itself an address, or has
 * none or several.
 */
export function onlyAddressIn(pasted: string): string | null {
  const text = pasted.trim()
  if (!/[\s'"<>]/.test(text)) return null
  const found = new Set(text.match(/https?:\/\/[^\s'"<>\\]+/gi))
  const [first] = found
  return found.size === 1 && first !== undefined ? first : null
}
