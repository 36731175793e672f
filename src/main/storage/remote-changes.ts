import { remoteDetailSchema, type RemoteDetail } from '../../shared/activity.ts'
import type { Side } from '../../shared/edit.ts'
import {
  remoteChangeSchema,
  fieldNames,
  type ChangedField,
  type SomeDomains,
  type RemoteChange,
  type FieldName,
  type WebsiteRecord,
} from '../../shared/website.ts'
import { readJson } from './json.ts'

/** Parses the note of a remote change. Returns null if it can't be read. */
export const readRemoteChange = (text: string): RemoteChange | null =>
  remoteChangeSchema.safeParse(readJson(text)).data ?? null

/**
 * Returns the note for a website that changed from `before` to `after`, or null if no known field and no time changed.
 * `noted` is the earlier note that the user hasn't looked at; the new note includes it.
 */
export function withRemoteChange(
  before: unknown,
  after: WebsiteRecord,
  at: number,
  noted: RemoteChange | null,
): RemoteChange | null {
  const known = knownOf(before)
  const isOther = (name: FieldName | 'updated_at') => JSON.stringify(known[name]) !== JSON.stringify(after[name])
  const changedNames = fieldNames.filter(isOther)
  if (changedNames.length === 0 && !isOther('updated_at')) return null
  // The user has not seen the website before, so it stays "added".
  if (noted?.what === 'added') return noted
  const changed = new Map<FieldName, ChangedField>(noted?.fields?.map((field) => [field.name, field]))
  for (const name of changedNames) {
    const [field, earlier] = [{ name, ...countLines(known[name], after[name]) }, changed.get(name)]
    changed.set(name, earlier ? sum(earlier, field) : field)
  }
  return { what: 'changed', at, fields: fieldNames.flatMap((name) => changed.get(name) ?? []) }
}

/** Returns what differs between two records, or null if no known field and no time does. A record that is null does not exist. */
export function remoteDetail(before: unknown, after: unknown): RemoteDetail | null {
  const [was, is] = [knownOf(before), knownOf(after)]
  const fields = fieldNames.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]))
  if (fields.length === 0 && was.updated_at === is.updated_at) return null
  const shown = (record: Partial<WebsiteRecord>): Side =>
    Object.fromEntries(fields.filter((name) => name !== 'domain').map((name) => [name, record[name]]))
  return remoteDetailSchema.safeParse({ fields, before: shown(was), after: shown(is) }).data ?? null
}

const knownOf = (record: unknown): Partial<WebsiteRecord> =>
  typeof record === 'object' && record !== null ? record : {}

/** Maximum number of deleted domains that are named. */
const MAX_NAMED = 5

/** Adds a domain to the note of remotely deleted websites. */
export const withDeleted = (noted: SomeDomains | null, domain: string): SomeDomains => ({
  count: (noted?.count ?? 0) + 1,
  domains: [...(noted?.domains ?? []), domain].slice(0, MAX_NAMED),
})

/** Returns the number of added and removed lines of a list. */
function countLines(before: unknown, after: unknown): Omit<ChangedField, 'name'> {
  if (!Array.isArray(before) || !Array.isArray(after)) return {}
  const [was, is] = [new Set<unknown>(before), new Set<unknown>(after)]
  return {
    added: [...is].filter((line) => !was.has(line)).length,
    removed: [...was].filter((line) => !is.has(line)).length,
  }
}

/** Adds two changes of a field. The numbers of lines are only known if both changes have them. */
function sum(earlier: ChangedField, { name, added, removed }: ChangedField): ChangedField {
  if (earlier.added === undefined || earlier.removed === undefined || added === undefined || removed === undefined) {
    return { name }
  }
  return { name, added: earlier.added + added, removed: earlier.removed + removed }
}
