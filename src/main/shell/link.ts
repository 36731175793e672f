import type { Destination } from '../../shared/destination.ts'
import { normaliseDomain } from '../../shared/domain.ts'

export const LINK_SCHEME = 'siteward'

/** Maximum number of characters of a link: more than any domain needs with every character escaped. */
const MAX_LINK = 1024
const WEBSITE_LINK = /^siteward:\/\/website\/([^/?#]+)\/?$/i
const ADD_LINK = /^siteward:\/\/add\/?(?:\?domain=([^?#&=]*))?$/i

/**
 * Parses a link: `siteward://website/<domain>` opens a website of the list, `siteward://add?domain=<domain>` the form for a
 * new one. Any web page may contain a link, so everything else returns null, and no link saves or sends anything.
 */
export function parseLink(text: string): Destination | null {
  if (text.length > MAX_LINK) return null
  const website = WEBSITE_LINK.exec(text)
  if (website) {
    const domain = domainOf(website[1] ?? '')
    return domain === null ? null : { to: 'website', domain }
  }
  const add = ADD_LINK.exec(text)
  if (!add) return null
  if (!add[1]) return { to: 'add', domain: '' }
  const domain = domainOf(add[1])
  return domain === null ? null : { to: 'add', domain }
}

/** Returns a bare host name in the form that the service stores; otherwise null. */
function domainOf(escaped: string): string | null {
  const text = unescaped(escaped)
  // The form accepts whole addresses and extracts the domain; links need no such tolerance.
  return text === null || /[\s/:@?#%\\\p{C}]/u.test(text) ? null : normaliseDomain(text)
}

/** Decodes the percent-encoded characters of a text, or returns null if they are malformed. */
function unescaped(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
