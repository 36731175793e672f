import { fail, ok, type Result } from './result.ts'

/** Matches the names and addresses of this machine (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3; RFC 6761, "localhost."). */
const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\]|(.+\.)?localhost)$/i

/** Expects the host of a parsed URL: parsing has turned a spelling such as `127.1` into 127.0.0.1. */
const isLoopback = (host: string): boolean => LOOPBACK.test(host)

/**
 * Normalizes a typed service address (docs/service.md#base-urls): keeps the path and the port, removes a trailing slash, a pasted
 * `/api/v1…`, the query and the fragment, and adds a missing scheme: https, or http for this computer. `insecure`: true for http
 * to another computer. Errors: `bad-address`.
 */
export function normalizeAddress(typed: string): Result<{ address: string; insecure: boolean }> {
  const text = typed.trim()
  if (text === '' || /\s/.test(text)) return fail('bad-address')
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(\[[^\]]*\]|[^/:?#]*)/i.exec(text)?.[1] ?? ''
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${isLoopback(host) ? 'http' : 'https'}://${text}`
  let url: URL
  try {
    url = new URL(withScheme)
  } catch {
    return fail('bad-address')
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return fail('bad-address')
  if (url.username !== '' || url.password !== '' || url.hostname === '') return fail('bad-address')
  const path = url.pathname.replace(/\/api\/v1(\/.*)?$/, '').replace(/\/+$/, '')
  return ok({
    address: url.origin + path,
    insecure: url.protocol === 'http:' && !isLoopback(url.hostname),
  })
}
