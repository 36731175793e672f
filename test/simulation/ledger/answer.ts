import type { Website } from '../service/records.ts'

/** The state of a website that an answer of the user covers: it was there when the answer was given, and could be read. */
export interface Answer {
  website: Website
  states: number
  at: number
  units: readonly string[]
}
