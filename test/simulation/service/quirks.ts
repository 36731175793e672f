import type { Seeded } from '../machine/random.ts'

/** The differences between real installations of the service (docs/service.md). */
export interface Quirks {
  /** Requests a minute for each user, reads included. */
  limit: number
  showsLimit: boolean
  retryAfter: 'seconds' | 'date' | 'none'
  pageCap: number
  /** The data that a page of the list contains besides its websites: `links` and page numbers, only page numbers (`meta`), or nothing. */
  paging: 'links' | 'meta' | 'bare'
  /** True if an answer has its record in a field `data`. */
  wrapsRecords: boolean
  /** True if a write is answered without a body. */
  emptyAnswers: boolean
  created: 200 | 201
  ids: 'number' | 'text'
  switches: 'number' | 'text' | 'boolean'
  /** True if records show `exclude_params`. Most installations never show it. */
  showsParams: boolean
  times: 'zoned' | 'unzoned' | 'none'
  /** The offset from UTC of the service's times without a zone, in milliseconds. */
  zone: number
  /** The field of an answer that has the errors of a form. */
  errors: 'message' | 'errors'
  showsAccount: boolean
  missingUpdate: 404 | 500
  /** True if the plan has no email reports, so that the service ignores the field. */
  ignoresEmail: boolean
  /** The error of the service's clock, in milliseconds. */
  skew: number
  /** Websites that the account's plan allows; -1: any number. */
  plan: number
}

export const plainQuirks: Quirks = {
  limit: 60,
  showsLimit: true,
  retryAfter: 'seconds',
  pageCap: 100,
  paging: 'links',
  wrapsRecords: true,
  emptyAnswers: false,
  created: 200,
  ids: 'number',
  switches: 'number',
  showsParams: false,
  times: 'zoned',
  zone: 0,
  errors: 'message',
  showsAccount: true,
  missingUpdate: 404,
  ignoresEmail: false,
  skew: 0,
  plan: -1,
}

export const drawQuirks = (random: Seeded): Quirks => ({
  limit: random.pick([60, 60, 60, 30, 120]),
  showsLimit: random.chance(0.8),
  retryAfter: random.pick(['seconds', 'seconds', 'date', 'none']),
  pageCap: random.pick([100, 100, 100, 10, 3]),
  paging: random.pick(['links', 'links', 'meta', 'bare']),
  wrapsRecords: random.chance(0.8),
  emptyAnswers: random.chance(0.1),
  created: random.pick([200, 201]),
  ids: random.pick(['number', 'number', 'text']),
  switches: random.pick(['number', 'number', 'text', 'boolean']),
  showsParams: random.chance(0.3),
  zone: 0,
  times: random.pick(['zoned', 'zoned', 'zoned', 'unzoned', 'none']),
  errors: random.pick(['message', 'errors']),
  showsAccount: random.chance(0.85),
  missingUpdate: random.chance(0.15) ? 500 : 404,
  ignoresEmail: random.chance(0.04),
  skew: random.pick([0, 0, -3_600_000, 86_400_000, -40 * 86_400_000]),
  plan: random.chance(0.06) ? 4 + random.below(5) : -1,
})

const HOUR = 3_600_000

/** Draws the zone of a service's times. Uses a seed of its own, so that earlier schedules stay as they are. */
export const drawZone = (random: Seeded): number =>
  random.pick([0, 1, 2, 5.5, 12.75, -3.5, -5, -8].map((hours) => hours * HOUR))
