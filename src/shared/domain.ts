const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
const MAX_DOMAIN = 255

/**
 * Returns a typed domain as the service stores it: in lower case and ASCII, without scheme, `www.`, port, path and trailing dot.
 * Returns null if it is neither a domain name (one label is enough) nor an IPv4 address (docs/service.md#domains).
 */
export function normalizeDomain(typed: string): string | null {
  const text = typed.trim().replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, '')
  const authority = /^[^/?#]*/.exec(text)?.[0] ?? ''
  const host = authority
    .replace(/:\d*$/, '')
    .replace(/\.$/, '')
    .replace(/^www\.(?=[^.]+\.)/i, '')
  if (host === '' || /[\s@:%\\[\]]/.test(host)) return null
  const ascii = toAscii(host)
  if (ascii === null || ascii.length > MAX_DOMAIN) return null
  // An address counts only as it was typed: URLs turn "1.2" and "0x7f.1" into addresses, which the user did not type.
  if (IPV4.test(ascii)) return ascii === host ? ascii : null
  return ascii.split('.').every((label) => LABEL.test(label)) ? ascii : null
}

/** Matches domains that {@link normalizeDomain} would return unchanged or reject, to avoid the call. */
const NORMALIZED = /^(?!www\.)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/

/**
 * Returns a domain in the form in which domains are compared, or the text itself if it is no domain. Some hosts store a domain as it was
 * sent, so that one domain can have several spellings (docs/service.md#domains).
 */
export const comparableDomain = (domain: string): string =>
  NORMALIZED.test(domain) ? domain : (normalizeDomain(domain) ?? domain)

/** True for a domain name that some hosts refuse (docs/service.md#domains), so that the app can warn the user. */
export function isUncommonDomain(typed: string): boolean {
  const domain = normalizeDomain(typed)
  return domain !== null && (!domain.includes('.') || domain.includes('_'))
}

/** Returns the ASCII form of an international name, as in browsers, or null if it is no host name. */
function toAscii(host: string): string | null {
  try {
    return new URL(`http://${host}`).hostname
  } catch {
    return null
  }
}
