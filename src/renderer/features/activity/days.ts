/** Returns the day of a time as a date field holds it, `shift` days later. Empty if there is no time. */
export function dayOf(at: number | undefined, shift = 0): string {
  if (at === undefined) return ''
  const day = new Date(at)
  day.setDate(day.getDate() + shift)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** Returns the time at which the day `shift` days after that of a date field begins on this computer. Undefined if the field has no day. */
export function startOfDay(written: string, shift: number): number | undefined {
  const [year, month, day] = written.split('-').map(Number)
  if (!year || !month || !day) return undefined
  const at = new Date(year, month - 1, day + shift).getTime()
  return Number.isNaN(at) ? undefined : at
}
