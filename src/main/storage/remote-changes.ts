import { areSameLines } from '../outbox/model/merge-lines.ts'
import { remoteDetailSchema, type RemoteDetail } from '../../shared/activity.ts'
import type { Side } from '../../shared/edit.ts'
import { fieldNames, type WebsiteRecord } from '../../shared/website.ts'

/** Returns what differs between two records, or null if no known field and no time does. A record that is null does not exist. */
export function remoteDetail(before: unknown, after: unknown): RemoteDetail | null {
  const [was, is] = [recordOrEmpty(before), recordOrEmpty(after)]
  const fields = fieldNames.filter((name) => !isSameValue(was[name], is[name]))
  if (fields.length === 0 && was.updated_at === is.updated_at) return null
  const shown = (record: Partial<WebsiteRecord>): Side =>
    Object.fromEntries(fields.filter((name) => name !== 'domain').map((name) => [name, record[name]]))
  return remoteDetailSchema.safeParse({ fields, before: shown(was), after: shown(is) }).data ?? null
}

/** Returns a record without checking its fields, or an empty one if the record does not exist. */
const recordOrEmpty = (record: unknown): Partial<WebsiteRecord> =>
  typeof record === 'object' && record !== null ? record : {}

/** True if two values mean the same; a list is a set of lines, which a host may answer in another order. */
const isSameValue = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other) ? areSameLines(one, other) : one === other
