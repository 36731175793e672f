/** Returns the local day of a time, moved by `shift` days, in the format of a date field ("2026-01-31"); '' without a time. */
export function dateFieldDay(at: number | undefined, shift = 0): string {
  if (at === undefined) return ''
  const day = new Date(at)
  day.setDate(day.getDate() + shift)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/**
 * Returns the start of a local day in milliseconds since 1970, or undefined without a valid day. `written`: the day in a date
 * field. `shift`: days to add.
 */
export function startOfDay(written: string, shift: number): number | undefined {
  const [year, month, day] = written.split('-').map(Number)
  if (!year || year < 1970 || !month || !day) return undefined
  const at = new Date(year, month - 1, day + shift).getTime()
  return Number.isNaN(at) ? undefined : at
}
