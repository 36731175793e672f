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

/** What was noted of others' doings; null: nothing that can be read. */
export const readRemoteChange = (text: string): RemoteChange | null =>
  remoteChangeSchema.safeParse(readJson(text)).data ?? null

/**
 * What is to be noted of a website that was read as `after`, and was `before` until then; `noted`: what the person hasn't
 * looked at yet. Null: nothing that a person could see, or has to suspect.
 */
export function changedRemotely(
  before: unknown,
  after: WebsiteRecord,
  at: number,
  noted: RemoteChange | null,
): RemoteChange | null {
  const known: Partial<WebsiteRecord> = typeof before === 'object' && before !== null ? before : {}
  const isOther = (name: FieldName | 'updated_at') => JSON.stringify(known[name]) !== JSON.stringify(after[name])
  const others = fieldNames.filter(isOther)
  if (others.length === 0 && !isOther('updated_at')) return null
  // Nobody has seen yet what it was before.
  if (noted?.what === 'added') return noted
  const changed = new Map<FieldName, ChangedField>(noted?.fields?.map((field) => [field.name, field]))
  for (const name of others) {
    const [field, former] = [{ name, ...comeAndGone(known[name], after[name]) }, changed.get(name)]
    changed.set(name, former ? together(former, field) : field)
  }
  return { what: 'changed', at, fields: fieldNames.flatMap((name) => changed.get(name) ?? []) }
}

/** As many are named. */
const NAMED = 5

/** The same with one more. */
export const alsoDeleted = (former: SomeDomains | null, domain: string): SomeDomains => ({
  count: (former?.count ?? 0) + 1,
  domains: [...(former?.domains ?? []), domain].slice(0, NAMED),
})

function comeAndGone(before: unknown, after: unknown): Omit<ChangedField, 'name'> {
  if (!Array.isArray(before) || !Array.isArray(after)) return {}
  const [was, is] = [new Set<unknown>(before), new Set<unknown>(after)]
  return {
    added: [...is].filter((line) => !was.has(line)).length,
    removed: [...was].filter((line) => !is.has(line)).length,
  }
}

/** Both, one after the other; of how many lines can be told only where each tells it. */
function together(former: ChangedField, { name, added, removed }: ChangedField): ChangedField {
  if (former.added === undefined || former.removed === undefined || added === undefined || removed === undefined) {
    return { name }
  }
  return { name, added: former.added + added, removed: former.removed + removed }
}
