import type { Destination } from '../../shared/destination.ts'
import { normaliseDomain } from '../../shared/domain.ts'

export const LINK_SCHEME = 'siteward'

/** Longer than any domain, escaped character by character. */
const MAX_LINK = 1024
const WEBSITE = /^siteward:\/\/website\/([^/?#]+)\/?$/i
const ADD = /^siteward:\/\/add\/?(?:\?domain=([^?#&=]*))?$/i

/**
 * Where a link leads: `siteward://website/<domain>` to a website of the list, `siteward://add?domain=<domain>` to the form
 * for a new one. Any page may hold a link: whatever isn't exactly one of these is none, and what is saves and sends nothing.
 */
export function parseLink(text: string): Destination | null {
  if (text.length > MAX_LINK) return null
  const website = WEBSITE.exec(text)
  if (website) {
    const domain = domainOf(website[1] ?? '')
    return domain === null ? null : { to: 'website', domain }
  }
  const add = ADD.exec(text)
  if (!add) return null
  if (!add[1]) return { to: 'add', domain: '' }
  const domain = domainOf(add[1])
  return domain === null ? null : { to: 'add', domain }
}

/** A bare host name, in the form in which the service keeps it; null: anything else. */
function domainOf(escaped: string): string | null {
  const text = unescaped(escaped)
  // The form takes whole addresses, and makes a domain of them; a link has no need of that.
  return text === null || /[\s/:@?#%\\\p{C}]/u.test(text) ? null : normaliseDomain(text)
}

function unescaped(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
