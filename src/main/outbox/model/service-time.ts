import type { EditKind } from '../../../shared/edit.ts'
import type { WebsiteRecord } from '../../../shared/website.ts'
import type { Edit } from './edit.ts'

const MINUTE = 60_000
/** UTC offsets are multiples of `ZONE_STEP`, up to `MAX_UTC_OFFSET`. Both are in milliseconds. */
const ZONE_STEP = 15 * MINUTE
const MAX_UTC_OFFSET = 14 * 60 * MINUTE

/** Maximum difference of two clocks behind one address, in milliseconds. */
const MAX_CLOCK_DIFFERENCE = MINUTE
/** Milliseconds by which a learned UTC offset is wrong after a change to or from daylight saving time. */
const DAYLIGHT_SAVING_SHIFT = 60 * MINUTE

const HAS_ZONE = /(?:Z|[+-]\d\d:?\d\d)$/
const HAS_NO_ZONE = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

/** Returns milliseconds since 1970, as if the time were UTC. Null if the text has a zone or is no such time. */
function parseTimeWithoutZone(text: string): number | null {
  const at = HAS_NO_ZONE.test(text) ? Date.parse(`${text.replace(' ', 'T')}Z`) : NaN
  return Number.isNaN(at) ? null : at
}

/** Maximum milliseconds between a write and the `Date` of its response. Beyond it, no UTC offset is learned. */
const ANSWERED_WITHIN = 10_000

interface WriteAnswer {
  record: WebsiteRecord
  /** The `Date` header of the response with the record. */
  date: number | null
  /** The record before an update. */
  before: WebsiteRecord | null
}

/**
 * Learns from the response to a write how many milliseconds the service's times are ahead of UTC
 * (docs/sync.md#times-without-a-time-zone). Null if it does not tell, for example because nothing has changed.
 */
export function learnedOffset(kind: EditKind, { record, date, before }: WriteAnswer): number | null {
  const hasMoved = before !== null && before.updated_at !== record.updated_at
  const text = kind === 'create' ? record.created_at : hasMoved ? record.updated_at : undefined
  const at = text === undefined ? null : parseTimeWithoutZone(text)
  if (at === null || date === null) return null
  const offset = Math.round((at - date) / ZONE_STEP) * ZONE_STEP
  return Math.abs(offset) <= MAX_UTC_OFFSET && Math.abs(at - date - offset) <= ANSWERED_WITHIN ? offset : null
}

/** `sentAt` and `now` are times of the service's clock, in milliseconds since 1970. */
interface ServiceClock {
  sentAt: number | null | undefined
  now: number | null
  /** Milliseconds that the service's times are ahead of UTC, if known. */
  offset: number | null
}

/**
 * Compares the time when a record was created with the time of a send, in whole seconds because `Date` has no fractions.
 * `older`: before the send. `newer`: in the same second or later. `unknown`: a time is missing or unreadable, or the record is
 * up to a minute older than the send, because clocks behind one address differ. For a time without a zone, `unknown` covers an
 * hour more, and any time in the future, because the learned UTC offset may be an hour wrong.
 */
export function compareTimeWithSend(
  created: string | undefined,
  { sentAt, now, offset }: ServiceClock,
): 'older' | 'newer' | 'unknown' {
  if (created === undefined || sentAt == null) return 'unknown'
  const local = parseTimeWithoutZone(created)
  const at = HAS_ZONE.test(created) ? Date.parse(created) : local === null || offset === null ? NaN : local - offset
  if (Number.isNaN(at)) return 'unknown'
  if (local !== null && (now === null || at > now + MAX_CLOCK_DIFFERENCE)) return 'unknown'
  const early = inSeconds(sentAt) - inSeconds(at)
  if (early <= 0) return 'newer'
  return early > inSeconds(local === null ? MAX_CLOCK_DIFFERENCE : MAX_CLOCK_DIFFERENCE + DAYLIGHT_SAVING_SHIFT)
    ? 'older'
    : 'unknown'
}

const inSeconds = (ms: number): number => Math.floor(ms / 1000)

/**
 * Returns the `updated_at` that later edits take as their base, to detect remote changes. If a create in doubt is found with an
 * `updated_at` later than its `created_at`, another client has changed the website, so `created_at` is the base. A difference of
 * less than a second does not count.
 */
export function updatedAtForLaterEdits(
  { kind, sent }: Edit,
  { created_at = '', updated_at }: Pick<WebsiteRecord, 'created_at' | 'updated_at'>,
): string | undefined {
  if (kind !== 'create' || sent?.doubted !== true) return updated_at
  return Math.abs(Date.parse(updated_at ?? '') - Date.parse(created_at)) >= 1_000 ? created_at : updated_at
}
