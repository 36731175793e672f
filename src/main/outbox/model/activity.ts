import type { ActivityKind, ActivityPage, EditStep, RemoteDetail } from '../../../shared/activity.ts'
import type { HistoryRecord } from './history-record.ts'

/** Facts that every activity entry has. `at`: milliseconds since 1970. */
export interface ActivityFacts {
  /** Local key of the website, which may no longer exist. */
  website: string
  domain: string
  kind: ActivityKind
  at: number
}

/** Has exactly one of `result`, `step` and `remote`. */
export interface StoredActivityEntry extends ActivityFacts {
  n: number
  result?: HistoryRecord
  step?: EditStep
  remote?: RemoteDetail
}

/** The latest entry comes first. `next`: where to continue, or null if these are the last entries. */
export interface StoredActivityPage {
  records: StoredActivityEntry[]
  next: ActivityPage['next']
}
