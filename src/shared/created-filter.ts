/** The values that are suggested for the filter `created`. */
export const suggestedCreatedDays = ['7d', '30d', '365d'] as const

/**
 * The days of the filter `created`: the last `days`, or a range of dates such as 2026-01-31, both included. One of `from` and
 * `to` may be undefined.
 */
export type CreatedFilter = { days: number } | { from: string | undefined; to: string | undefined }

const DAYS = /^(\d{1,4})d$/
const DATES = /^(\d{4}-\d\d-\d\d)?(\.\.)?(\d{4}-\d\d-\d\d)?$/

/**
 * Parses `30d`, `2026-01-31`, `2026-01-01..2026-01-31`, `2026-01-01..` or `..2026-01-31`. Returns null for anything else, such as
 * a range whose first day is after its last one.
 */
export function parseCreated(value: string): CreatedFilter | null {
  const days = DAYS.exec(value)?.[1]
  if (days !== undefined) return { days: Number(days) }
  const [, from, dots, last] = DATES.exec(value) ?? []
  const to = dots === undefined ? from : last
  const dates = [from, to].filter((date) => date !== undefined)
  const isValid = dates.length > 0 && (dots !== undefined || last === undefined) && !isReversed(from, to)
  return isValid && !dates.some((date) => Number.isNaN(dayOf(date).getTime())) ? { from, to } : null
}

/** True if the first day of a range is after its last one. */
export const isReversed = (from = '', to = ''): boolean => to !== '' && from > to

/** Returns the value of the filter `created` for a range of dates. One date may be empty. Returns null if both are. */
export const serializeCreated = (from: string, to: string): string | null =>
  from === '' && to === '' ? null : from === to ? from : `${from}..${to}`

/** Returns the first moment of the range and the first one after it, in local time. An open end is infinite. */
export function spanOf(created: CreatedFilter, now: Date): { from: number; to: number } {
  const day = (date: Date, more: number) =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate() + more).getTime()
  if ('days' in created) return { from: day(now, -created.days), to: Infinity }
  return {
    from: created.from === undefined ? -Infinity : day(dayOf(created.from), 0),
    to: created.to === undefined ? Infinity : day(dayOf(created.to), 1),
  }
}

/** The start of the day in this computer's time zone, or an invalid date if the text is no date. */
const dayOf = (date: string): Date => new Date(`${date}T00:00`)
