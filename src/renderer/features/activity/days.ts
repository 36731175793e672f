/**
 * Returns the day that is `shift` days after a time, as a date field holds it, such as "2026-01-31". Empty if there is no time.
 */
export function dateFieldDay(at: number | undefined, shift = 0): string {
  if (at === undefined) return ''
  const day = new Date(at)
  day.setDate(day.getDate() + shift)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/**
 * Returns when the day that is `shift` days after the day in a date field begins, by the time zone of this computer. In
 * milliseconds since 1970; undefined if the field has no day, or a day before that year.
 */
export function startOfDay(written: string, shift: number): number | undefined {
  const [year, month, day] = written.split('-').map(Number)
  if (!year || year < 1970 || !month || !day) return undefined
  const at = new Date(year, month - 1, day + shift).getTime()
  return Number.isNaN(at) ? undefined : at
}
