import { sampleDomains } from './domains.ts'
import { sampleDefaults, type SampleWebsite } from './website.ts'

/** Creation date of the newest sample website. */
const NEWEST = Date.parse('2026-11-12T09:14:05Z')
const DAY = 24 * 60 * 60 * 1000
/** Approximate maximum milliseconds between the creation of the oldest and of the newest sample website. */
const MAX_SPAN = 8 * 365 * DAY
/** Stands for a password that is set but that no one knows. */
const UNKNOWN_PASSWORD = 'unknown'

const IP_LISTS = ['203.0.113.7', '203.0.113.7\n198.51.100.0/24\n2001:db8::/48', '198.51.100.23\n198.51.100.24']
const PARAM_LISTS = ['utm_source\nutm_medium\nutm_campaign', 'fbclid\ngclid', '&']

/** Always returns the same websites, with ids from 1, oldest first. */
export function sampleWebsites(count: number): SampleWebsite[] {
  const websites: SampleWebsite[] = []
  const names = sampleDomains()
  const step = Math.min(1.5 * DAY, MAX_SPAN / Math.max(count, 1))
  let created = NEWEST
  for (let id = count; id >= 1; id--) {
    const domain = names.next().value as string
    websites.push(sampleWebsite(id, domain, created, scatter(count - id)))
    created -= Math.round(step * (0.25 + (scatter(id) % 1500) / 1000))
  }
  return websites.reverse()
}

/** Returns a website of the sample data. Its settings depend only on `number`. `created`: milliseconds since 1970. */
function sampleWebsite(id: number, domain: string, created: number, number: number): SampleWebsite {
  const share = number % 100
  const privacy = share < 25 ? 0 : share < 85 ? 1 : 2
  const changed = number % 5 === 0 ? (number % 30) * 60 * 60 * 1000 : 0
  return {
    ...sampleDefaults,
    id,
    domain,
    privacy,
    password: privacy === 2 ? UNKNOWN_PASSWORD : null,
    email: number % 7 < 3 ? 1 : 0,
    exclude_bots: number % 11 === 0 ? 0 : 1,
    exclude_ips: number % 13 < 3 ? (IP_LISTS[number % 3] ?? null) : null,
    exclude_params: number % 17 < 2 ? (PARAM_LISTS[number % 3] ?? null) : null,
    favorited_at: null,
    created_at: new Date(created).toISOString(),
    updated_at: new Date(Math.min(created + changed, NEWEST)).toISOString(),
  }
}

/** Always maps the same small number to the same large one. The results are evenly distributed below 2^32. */
function scatter(number: number): number {
  let mixed = Math.imul(number + 1, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  return (mixed ^ (mixed >>> 13)) >>> 0
}
