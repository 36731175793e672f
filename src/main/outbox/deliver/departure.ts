import type { Edit } from '../model/edit.ts'
import type { Turn } from '../model/turn.ts'
import type { Verdict } from '../model/verdict.ts'
import type { OutboxPorts } from '../ports.ts'
import type { Reading } from '../remote/reading.ts'
import type { Waits } from '../schedule/waits.ts'

/** The ports and the memory that an attempt to send an edit needs. */
export interface Attempting extends OutboxPorts {
  waits: Waits
  reading: Reading
  /** Outcomes of requests that a disk error has kept from being stored, by the id of the edit. */
  unwritten: Map<string, { edit: Edit; verdict: Verdict }>
  isActive: () => boolean
}

/** An edit that is `sending` on disk, and whose request leaves now. */
export interface Departure extends Turn {
  /** The statistics password that the request carries. */
  secret: string | null
}
