import type { EditKind } from '../../../shared/edit.ts'
import type { WebsiteRecord } from '../../../shared/website.ts'
import type { Edit } from './edit.ts'

const MINUTE = 60_000
/** Time zones differ from UTC by a multiple of `ZONE_STEP`, and by `MAX_UTC_OFFSET` at most. Both are in milliseconds. */
const ZONE_STEP = 15 * MINUTE
const MAX_UTC_OFFSET = 14 * 60 * MINUTE

/** Maximum difference of two clocks behind one address, in milliseconds. */
const MAX_CLOCK_DIFFERENCE = MINUTE
/** Milliseconds by which a learned offset is wrong after the service has changed to or from daylight saving time. */
const DAYLIGHT_SAVING_SHIFT = 60 * MINUTE

const HAS_ZONE = /(?:Z|[+-]\d\d:?\d\d)$/
const HAS_NO_ZONE = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

/** Returns a time without a zone as if it were UTC, in milliseconds since 1970, or null if it has a zone or is no such time. */
function parseTimeWithoutZone(text: string): number | null {
  const at = HAS_NO_ZONE.test(text) ? Date.parse(`${text.replace(' ', 'T')}Z`) : NaN
  return Number.isNaN(at) ? null : at
}

/** Maximum time between a write and the `Date` of its answer, in milliseconds. Beyond it, no offset is learned. */
const ANSWERED_WITHIN = 10_000

/** The record that answers a write of ours, the `Date` of the same answer, and the record before an update. */
interface WriteAnswer {
  record: WebsiteRecord
  date: number | null
  before: WebsiteRecord | null
}

/**
 * Returns how far the times of this service are ahead of UTC, in milliseconds, learned from the answer to a write of ours
 * (docs/sync.md#times-without-a-time-zone). Null if the answer does not tell: some hosts leave `updated_at` as it was when a
 * write changes nothing.
 */
export function learnedOffset(kind: EditKind, { record, date, before }: WriteAnswer): number | null {
  const hasMoved = before !== null && before.updated_at !== record.updated_at
  const text = kind === 'create' ? record.created_at : hasMoved ? record.updated_at : undefined
  const at = text === undefined ? null : parseTimeWithoutZone(text)
  if (at === null || date === null) return null
  const offset = Math.round((at - date) / ZONE_STEP) * ZONE_STEP
  return Math.abs(offset) <= MAX_UTC_OFFSET && Math.abs(at - date - offset) <= ANSWERED_WITHIN ? offset : null
}

/** The service's clock at a send and now, in milliseconds since 1970, and the offset of its times if it is known. */
interface ServiceClock {
  sentAt: number | null | undefined
  now: number | null
  offset: number | null
}

/**
 * Returns whether a record was created before a send (`older`) or not (`newer`). Whole seconds are compared, because `Date` has
 * no fractions. A time up to a minute earlier is `unknown`, because clocks behind one address differ. So is a time without a zone
 * that is up to an hour earlier, or in the future: the learned offset may be an hour wrong.
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
 * Returns the `updated_at` that later edits take as their base, to notice remote changes. A create in doubt may be found with an
 * `updated_at` later than its `created_at`: another client has changed the website, so `created_at` is the base. Times less than
 * a second apart count as equal, in whatever format. Undefined if the record has no such time.
 */
export function updatedAtForLaterEdits(
  { kind, sent }: Edit,
  { created_at = '', updated_at }: Pick<WebsiteRecord, 'created_at' | 'updated_at'>,
): string | undefined {
  if (kind !== 'create' || sent?.doubted !== true) return updated_at
  return Math.abs(Date.parse(updated_at ?? '') - Date.parse(created_at)) >= 1_000 ? created_at : updated_at
}
