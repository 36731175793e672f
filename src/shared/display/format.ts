import { visible } from './visible.ts'

/** Numbers, durations, dates and times as the user reads them. */

const numberFormat = new Intl.NumberFormat()

export const number = (n: number): string => numberFormat.format(n)

const MINUTE = 60
const HOUR = 3600

/** Formats an estimated duration in seconds: "3 s", "12 min", "1 h 10 min". */
export function formatDuration(seconds: number): string {
  if (seconds < MINUTE) return `${Math.max(1, Math.ceil(seconds))} s`
  if (seconds < HOUR) return `${Math.round(seconds / MINUTE)} min`
  const minutes = Math.round(seconds / (10 * MINUTE)) * 10
  const left = minutes % 60
  return left === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${left} min`
}

const styles = {
  day: { dateStyle: 'medium' },
  exact: { dateStyle: 'medium', timeStyle: 'short' },
  seconds: { dateStyle: 'medium', timeStyle: 'medium' },
  zoned: { dateStyle: 'medium', timeStyle: 'long' },
  clock: { timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

let region: string | null = null
let formats: Partial<Record<keyof typeof styles, Intl.DateTimeFormat>> = {}

/** Sets the region for dates and times, as a BCP 47 tag. Null means the region of the window's language. */
export function setDateRegion(tag: string | null): void {
  if (tag === region) return
  region = tag
  formats = {}
}

/** Returns a formatter. Each is created on first use, because that takes some milliseconds. */
const format = (style: keyof typeof styles): Intl.DateTimeFormat =>
  (formats[style] ??= new Intl.DateTimeFormat(region ?? undefined, styles[style]))

/** True for a date without a time, which is the same in every time zone. */
const isDay = (written: string): boolean => /^\d{4}-\d\d-\d\d$/.test(written)

/** Parses a time of the service: ISO 8601, or `YYYY-MM-DD HH:MM:SS` in an unknown time zone, which is shown as it is. */
function parsed(written: string): Date | undefined {
  const date = new Date(isDay(written) ? `${written}T00:00` : written.replace(' ', 'T'))
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** Formats the date of a time of the service. A text that is no time is returned as it is. */
export function formatDay(written: string): string {
  const date = parsed(written)
  return date ? format('day').format(date) : visible(written)
}

/** Formats the date and the time of a time of the service. A text that is no time is returned as it is. */
export function formatDateTime(written: string): string {
  const date = parsed(written)
  return date ? format(isDay(written) ? 'day' : 'exact').format(date) : visible(written)
}

/** Formats a time to the second, with the time zone if it is known. A number is a time of this computer, in milliseconds since 1970. */
export function formatExact(written: string | number): string {
  if (typeof written === 'number') return format('zoned').format(written)
  const date = parsed(written)
  if (!date) return visible(written)
  if (isDay(written)) return format('day').format(date)
  return format(/(?:z|[+-]\d\d:?\d\d)$/i.test(written) ? 'zoned' : 'seconds').format(date)
}

/** Returns an example of how this computer writes times, with its time zone. */
export const exampleTime = (at: number): string =>
  `${format('exact').format(at)} (${format('exact').resolvedOptions().timeZone})`

/** Formats a time of this computer, in milliseconds since 1970: without the date if it was today. */
export function formatTime(at: number, now = Date.now()): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString()
  return format(sameDay ? 'clock' : 'exact').format(at)
}
