import { areSameLines } from '../outbox/model/merge-lines.ts'
import { remoteDetailSchema, type RemoteDetail } from '../../shared/activity.ts'
import type { Side } from '../../shared/edit.ts'
import { fieldNames, type WebsiteRecord } from '../../shared/website.ts'

/** Returns null if no known field and no time differs. A record that is null does not exist. */
export function remoteDetail(before: unknown, after: unknown): RemoteDetail | null {
  const [was, is] = [recordOrEmpty(before), recordOrEmpty(after)]
  const fields = fieldNames.filter((name) => !isSameValue(was[name], is[name]))
  if (fields.length === 0 && was.updated_at === is.updated_at) return null
  const shown = (record: Partial<WebsiteRecord>): Side =>
    Object.fromEntries(fields.filter((name) => name !== 'domain').map((name) => [name, record[name]]))
  return remoteDetailSchema.safeParse({ fields, before: shown(was), after: shown(is) }).data ?? null
}

/** Does not check the fields of the record. */
const recordOrEmpty = (record: unknown): Partial<WebsiteRecord> =>
  typeof record === 'object' && record !== null ? record : {}

/** Ignores the order of a list's lines, which a host may change. */
const isSameValue = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other) ? areSameLines(one, other) : one === other
