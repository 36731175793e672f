import { normaliseAddress } from '../../shared/address.ts'

/** What no further typing makes an address of a service: it's told at once, and not when the field is left. */
export type Wrong = 'spaces' | 'scheme' | 'login'

export function wrongIn(typed: string): Wrong | null {
  const text = typed.trim()
  if (/\s/.test(text)) return 'spaces'
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return 'scheme'
  return /^(?:https?:\/\/)?[^/?#]*@/i.test(text) ? 'login' : null
}

/** What an address comes to, where that isn't what was typed. `cut`: what was left out, as of a page of the documentation. */
export interface Reading {
  address: string
  cut: string
}

export function readingOf(typed: string): Reading | null {
  const read = normaliseAddress(typed)
  if (!read.ok) return null
  const { address } = read.value
  const text = typed.trim()
  const scheme = /^[a-z]+/i.exec(address)?.[0] ?? 'https'
  const whole = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`).href
  const cut = whole.slice(address.length).replace(/^\/$/, '')
  return cut === '' && text.replace(/\/$/, '') === address ? null : { address, cut }
}

/** The same address without a path, which may be that of a page there; null: it has none. */
export function withoutPath(typed: string): string | null {
  const read = normaliseAddress(typed)
  if (!read.ok) return null
  const { origin } = new URL(read.value.address)
  return origin === read.value.address ? null : origin
}

/** The one address in a piece of text, such as an example out of the documentation; null: it's an address, or has none. */
export function addressIn(pasted: string): string | null {
  const text = pasted.trim()
  if (!/[\s'"<>]/.test(text)) return null
  const found = new Set(text.match(/https?:\/\/[^\s'"<>\\]+/gi))
  const [one] = found
  return found.size === 1 && one !== undefined ? one : null
}
