import { visible } from '../shared/display/visible.ts'

const styles = {
  day: { dateStyle: 'medium' },
  exact: { dateStyle: 'medium', timeStyle: 'short' },
  seconds: { dateStyle: 'medium', timeStyle: 'medium' },
  zoned: { dateStyle: 'medium', timeStyle: 'long' },
  clock: { timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

let region: string | null = null
let made: Partial<Record<keyof typeof styles, Intl.DateTimeFormat>> = {}

/** Dates and times are written as this region does (a BCP 47 tag) from here on; null: as the window's language does. */
export function writeDatesAs(tag: string | null): void {
  if (tag === region) return
  region = tag
  made = {}
}

/** Made when it's first needed: each takes some milliseconds. */
const format = (style: keyof typeof styles): Intl.DateTimeFormat =>
  (made[style] ??= new Intl.DateTimeFormat(region ?? undefined, styles[style]))

/** A day alone is the same everywhere, and has no time to tell. */
const isDay = (written: string): boolean => /^\d{4}-\d\d-\d\d$/.test(written)

/**
 * Services write times as ISO 8601 or as `YYYY-MM-DD HH:MM:SS` without a zone; the latter is shown as it stands,
 * because nobody knows its zone. What can't be read as a time is shown as written.
 */
function parsed(written: string): Date | undefined {
  const date = new Date(isDay(written) ? `${written}T00:00` : written.replace(' ', 'T'))
  return Number.isNaN(date.getTime()) ? undefined : date
}

export function dayOf(written: string): string {
  const date = parsed(written)
  return date ? format('day').format(date) : visible(written)
}

export function timedOf(written: string): string {
  const date = parsed(written)
  return date ? format(isDay(written) ? 'day' : 'exact').format(date) : visible(written)
}

/** To the second, for hover; with the zone, where it's known that it's this one. A number is of this machine's clock. */
export function exactOf(written: string | number): string {
  if (typeof written === 'number') return format('zoned').format(written)
  const date = parsed(written)
  if (!date) return visible(written)
  if (isDay(written)) return format('day').format(date)
  return format(/(?:z|[+-]\d\d:?\d\d)$/i.test(written) ? 'zoned' : 'seconds').format(date)
}

/** How this computer writes a time, and where it takes itself to be. */
export const exampleOf = (at: number): string =>
  `${format('exact').format(at)} (${format('exact').resolvedOptions().timeZone})`

/** A time of this machine's clock: the hour alone where it was today. */
export function timeOf(at: number, now = Date.now()): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString()
  return format(sameDay ? 'clock' : 'exact').format(at)
}
