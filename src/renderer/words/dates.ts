import { visible } from './visible.ts'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

/**
 * Services write times as ISO 8601 or as `YYYY-MM-DD HH:MM:SS` without a zone; the latter is shown as it stands,
 * because nobody knows its zone. What can't be read as a time is shown as written.
 */
function parsed(written: string): Date | undefined {
  const date = new Date(written.replace(' ', 'T'))
  return Number.isNaN(date.getTime()) ? undefined : date
}

export function dayOf(written: string): string {
  const date = parsed(written)
  return date ? day.format(date) : visible(written)
}

export function exactOf(written: string): string {
  const date = parsed(written)
  return date ? exact.format(date) : visible(written)
}

/** How this computer writes a time, and where it takes itself to be. */
export const exampleOf = (at: number): string => `${exact.format(at)} (${exact.resolvedOptions().timeZone})`

/** A time of this machine's clock: the hour alone where it was today. */
export function timeOf(at: number, now = Date.now()): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString()
  return (sameDay ? clock : exact).format(at)
}
