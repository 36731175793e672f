import type { Edit } from '../../../src/main/outbox/model/edit.ts'
import type { StoredActivityEntry } from '../../../src/main/outbox/model/activity.ts'
import type { HistoryRecord } from '../../../src/main/outbox/model/history-record.ts'
import type { LateWrite } from '../../../src/main/outbox/model/late-write.ts'
import type { Result } from '../../../src/shared/result.ts'
import type { WebsiteRecord } from '../../../src/shared/website.ts'

export interface Row {
  key: string
  /** Null if the website is not created yet. */
  id: string | null
  rank: number
  domain: string
  record: WebsiteRecord | null
  /** The number of the last refresh that read the website. */
  run: number
}

/** The content of a disk in memory, which survives the end of a process. */
export class Tables {
  websites = new Map<string, Row>()
  edits = new Map<string, Edit>()
  historyRecords = new Map<string, HistoryRecord & { n: number }>()
  /** The activity entries other than history records. */
  activity: readonly StoredActivityEntry[] = []
  applied = new Set<string>()
  lateWrites = new Map<number, LateWrite>()
  meta = new Map<string, unknown>()
  /** The last sequence number of an edit. `lateWrite`, `entry`: the last numbers of a late write and of an activity entry. */
  seq = 0
  lateWrite = 0
  entry = 0

  /** Runs a transaction; rolls it back if it throws or returns a failure. */
  transaction<T>(work: () => Result<T>): Result<T> {
    const before = this.copy()
    try {
      const done = work()
      if (!done.ok) Object.assign(this, before)
      return done
    } catch (error) {
      Object.assign(this, before)
      throw error
    }
  }

  copy() {
    const { websites, edits, historyRecords, activity, applied, lateWrites, meta, seq, lateWrite, entry } = this
    return {
      websites: new Map(websites),
      edits: new Map(edits),
      historyRecords: new Map(historyRecords),
      activity,
      applied: new Set(applied),
      lateWrites: new Map(lateWrites),
      meta: new Map(meta),
      seq,
      lateWrite,
      entry,
    }
  }
}

/** Freezes a value with everything in it, so that a caller cannot change what is on disk. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}
