import { getLocale } from '../../messages/index.ts'
import { revealHidden } from './visible.ts'

// Calls `getLocale` each time, because the message catalog may replace that function later.
let formatLocale: () => string = () => getLocale()

/** Sets the function that returns the BCP 47 tag for all formats. It is called each time a text is formatted. */
export function setFormatLocale(locale: () => string): void {
  formatLocale = locale
}

/** Returns a function that caches one formatter for each locale, because creating one takes some milliseconds. */
function cachedByLocale<T>(create: (locale: string) => T): () => T {
  const made = new Map<string, T>()
  return () => {
    const locale = formatLocale()
    const formatter = made.get(locale) ?? create(locale)
    made.set(locale, formatter)
    return formatter
  }
}

const numberFormat = cachedByLocale((locale) => new Intl.NumberFormat(locale))

export const formatNumber = (n: number): string => numberFormat().format(n)

/** True if numbers have a decimal comma. Spreadsheets then separate cells with a semicolon. */
export const hasDecimalComma = (): boolean => formatNumber(1.5).includes(',')

const MINUTE = 60
const HOUR = 3600
const durationFormat = cachedByLocale((locale) => {
  const format = new Intl.DurationFormat(locale, { style: 'short' })
  // A line may break at the space that `Intl` puts before each unit, so the space is replaced. Japanese texts have none.
  const isSpaced = !/^ja\b/.test(locale)
  return (duration: Parameters<typeof format.format>[0]): string => {
    const text = format.format(duration)
    return isSpaced ? text.replaceAll(/(?<=\d) /g, '\u00a0') : text.replaceAll(' ', '')
  }
})

/** Formats an estimated duration in seconds, in English "3 sec", "12 min" or "1 hr, 10 min", with no-break spaces before the units. */
export function formatDuration(seconds: number): string {
  if (seconds < MINUTE) return durationFormat()({ seconds: Math.max(1, Math.ceil(seconds)) })
  if (seconds < HOUR) return durationFormat()({ minutes: Math.round(seconds / MINUTE) })
  const minutes = Math.round(seconds / (10 * MINUTE)) * 10
  return durationFormat()({ hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

const listFormatters = {
  and: cachedByLocale((locale) => new Intl.ListFormat(locale, { type: 'conjunction' })),
  or: cachedByLocale((locale) => new Intl.ListFormat(locale, { type: 'disjunction' })),
  // In Japanese, `unit` would separate the items with spaces, which the items may contain too.
  unit: cachedByLocale(
    (locale) => new Intl.ListFormat(locale, { type: /^ja\b/.test(locale) ? 'conjunction' : 'unit' }),
  ),
}

/** Formats a list: in English "a, b, and c", with `unit` "a, b, c". */
export const formatList = (items: readonly string[], join: keyof typeof listFormatters = 'and'): string =>
  listFormatters[join]().format(items)

/** Joins whole sentences, and leaves out those that are missing. Japanese has no space between sentences. */
export const joinSentences = (sentences: readonly (string | false | null | undefined)[]): string =>
  sentences.filter(Boolean).join(getLocale() === 'ja' ? '' : ' ')

const languages = cachedByLocale((locale) => new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' }))

/** Returns the name of a language, such as "German" for `de`. A text that is no language tag is returned as it is. */
export function languageName(tag: string): string {
  try {
    return languages().of(tag.replaceAll('_', '-')) ?? tag
  } catch {
    return tag
  }
}

const collator = cachedByLocale((locale) => new Intl.Collator(locale, { numeric: true }))

/** Compares two names for sorting, so that "a2" comes before "a10". */
export const compareNames = (a: string, b: string): number => collator().compare(a, b)

const dateFormat = (style: Intl.DateTimeFormatOptions) =>
  cachedByLocale((locale) => new Intl.DateTimeFormat(locale, style))
const dateFormatters = {
  day: dateFormat({ dateStyle: 'medium' }),
  exact: dateFormat({ dateStyle: 'medium', timeStyle: 'short' }),
  seconds: dateFormat({ dateStyle: 'medium', timeStyle: 'medium' }),
  zoned: dateFormat({ dateStyle: 'medium', timeStyle: 'long' }),
  clock: dateFormat({ timeStyle: 'short' }),
}
const format = (style: keyof typeof dateFormatters): Intl.DateTimeFormat => dateFormatters[style]()

const isDateOnly = (written: string): boolean => /^\d{4}-\d\d-\d\d$/.test(written)

/**
 * Parses a time of the service: ISO 8601 or `YYYY-MM-DD HH:MM:SS`. A time without a zone and a date without a time are taken as
 * local, so that they are shown as the service wrote them. Returns undefined for any other text.
 */
export function parseTime(written: string): Date | undefined {
  const date = new Date(isDateOnly(written) ? `${written}T00:00` : written.replace(' ', 'T'))
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** Formats the date of a time of the service. A text that is no time is returned as it is. */
export function formatDay(written: string): string {
  const date = parseTime(written)
  return date ? format('day').format(date) : revealHidden(written)
}

/** Formats a range of dates such as 2026-01-31. Two equal dates are written as one. */
export const formatDays = (from: string, to: string): string =>
  format('day').formatRange(new Date(`${from}T00:00`), new Date(`${to}T00:00`))

/** Formats a time of the service, or of this computer in milliseconds since 1970. Returns any other text as it is. */
export function formatDateTime(written: string | number): string {
  if (typeof written === 'number') return format('exact').format(written)
  const date = parseTime(written)
  return date ? format(isDateOnly(written) ? 'day' : 'exact').format(date) : revealHidden(written)
}

/** Formats a time to the second, with the time zone if it is known. A number is a time of this computer, in milliseconds since 1970. */
export function formatExact(written: string | number): string {
  if (typeof written === 'number') return format('zoned').format(written)
  const date = parseTime(written)
  if (!date) return revealHidden(written)
  if (isDateOnly(written)) return format('day').format(date)
  return format(/(?:z|[+-]\d\d:?\d\d)$/i.test(written) ? 'zoned' : 'seconds').format(date)
}

/** Returns an example of how this computer writes times and its time zone. */
export const exampleTime = (at: number): string =>
  `${format('exact').format(at)} (${format('exact').resolvedOptions().timeZone})`

/** Formats a time of this computer, in milliseconds since 1970: without the date if it was today. */
export function formatTime(at: number, now = Date.now()): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString()
  return format(sameDay ? 'clock' : 'exact').format(at)
}
