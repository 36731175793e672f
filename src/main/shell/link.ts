import type { Destination } from '../../shared/destination.ts'
import { normalizeDomain } from '../../shared/domain.ts'

/** The URL scheme of links that open the app. */
export const LINK_SCHEME = 'siteward'

/** Maximum number of characters of a link: more than any domain needs with every character escaped. */
const MAX_LINK = 1024
const WEBSITE_LINK = /^siteward:\/\/website\/([^/?#]+)\/?$/i
const ADD_LINK = /^siteward:\/\/add\/?(?:\?domain=([^?#&=]*))?$/i

/**
 * Accepts only `siteward://website/<domain>` (opens a website of the list) and `siteward://add?domain=<domain>` (opens the form
 * for a new one). Any web page may contain a link, so no link saves or sends anything.
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

/** Null unless the text is a bare host name. */
function domainOf(escaped: string): string | null {
  const text = unescaped(escaped)
  // The form accepts whole addresses and extracts the domain; links need no such tolerance.
  return text === null || /[\s/:@?#%\\\p{C}]/u.test(text) ? null : normalizeDomain(text)
}

/** Decodes the percent-encoding of a text. Null if it is malformed. */
function unescaped(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
