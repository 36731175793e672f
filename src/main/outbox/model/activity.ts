import type { ActivityKind, ActivityPage, EditStep, RemoteDetail } from '../../../shared/activity.ts'
import type { HistoryRecord } from './history-record.ts'

/** The facts that every entry of the activity has. `at` is in milliseconds since 1970. */
export interface ActivityFacts {
  /** Local key of the website, which may no longer exist. */
  website: string
  domain: string
  kind: ActivityKind
  at: number
}

/** A stored entry, with its number and exactly one of the result of an edit, a step of an edit, and a remote change. */
export interface StoredActivityEntry extends ActivityFacts {
  n: number
  result?: HistoryRecord
  step?: EditStep
  remote?: RemoteDetail
}

/** A page of stored entries, the latest first. `next`: the place to continue from, or null if these are the last ones. */
export interface StoredActivityPage {
  records: StoredActivityEntry[]
  next: ActivityPage['next']
}
