import { m } from '../../../messages/index.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { staysBehind } from '../enqueue/coalesce.ts'
import { domainTakenError } from '../enqueue/commands.ts'
import { isSent, isUnsent } from '../model/edit.ts'
import type { ExportedEdit, ExportedWebsite } from './export-file.ts'
import type { OutboxStore } from '../ports.ts'

/** The place of an imported edit. */
export interface ImportPlace {
  /** The local key of its website. */
  key: string
  /** The website if it has to be added first, or null. */
  websiteToAdd: ExportedWebsite | null
}

/**
 * Returns the place of each edit in turn, as if the edits before it were stored already. Writes nothing. `hasTwinOnService` is
 * true if the file has another website with the domain that exists on the service. Errors: `website-gone`; `invalid-input` if the
 * website has other pending edits or its domain is in the list already; `bad-file` if the edit cannot follow those before it.
 */
export type PlaceImport = (
  edit: ExportedEdit,
  website: ExportedWebsite,
  hasTwinOnService: boolean,
) => Result<ImportPlace>

/** Creates the function for one file. It remembers the edits that it has placed, but stores nothing. */
export function createPlaceImport(store: OutboxStore, newKey: () => string): PlaceImport {
  /** Maps the file's key of a website to the key here. */
  const keys = new Map<string, string>()
  /** The placed edits, by the key here of their website. */
  const editsAt = new Map<string, ExportedEdit[]>()
  /** The websites to be added that are on the service, by their id there. */
  const madeOfId = new Map<string, ExportedWebsite>()
  /** The keys here of the websites to be added that are not on the service, by domain. */
  const madeOfDomain = new Map<string, string[]>()

  /** Notes where an edit is placed, for the edits after it, and returns its place. */
  function put(
    edit: ExportedEdit,
    website: ExportedWebsite,
    key: string,
    websiteToAdd: ExportedWebsite | null,
  ): Result<ImportPlace> {
    keys.set(website.key, key)
    editsAt.set(key, [...(editsAt.get(key) ?? []), edit])
    if (websiteToAdd !== null && website.id !== null) madeOfId.set(website.id, website)
    else if (websiteToAdd !== null) madeOfDomain.set(website.domain, [...(madeOfDomain.get(website.domain) ?? []), key])
    return ok({ key, websiteToAdd })
  }

  /** Returns the kind of a website's last edit, of those placed so far or else of those here. Undefined if there is none. */
  const lastKind = (key: string) => (editsAt.get(key) ?? store.editsOf(key)).at(-1)?.kind

  /**
   * True if a website with this domain is here and is not being deleted. With `hasTwinOnService`, a website that is on the
   * service does not count.
   */
  function isTaken(domain: string, hasTwinOnService: boolean): boolean {
    const existing = store.websitesOfDomain(domain).filter(({ id }) => id === null || !hasTwinOnService)
    const keys = [...existing.map(({ key }) => key), ...(madeOfDomain.get(domain) ?? [])]
    return keys.some((key) => lastKind(key) !== 'delete')
  }

  return (edit, website, hasTwinOnService) => {
    const { key, id, domain } = website
    const placed = keys.get(key)
    if (placed !== undefined) {
      return follows(editsAt.get(placed) ?? [], edit) ? put(edit, website, placed, null) : fail('bad-file')
    }
    const twin = id === null ? undefined : madeOfId.get(id)
    if (twin !== undefined) return pendingEditsError(domainOf(twin))
    const local = store.website(key)
    // A website is the same if it has the same id of the service, or, without one, the same key here.
    const existing = id === null ? (local?.domain === domain ? local : null) : store.websiteOfId(id)
    if (existing !== null) {
      // Edits from two sources cannot be merged safely; the user still has the file.
      if (editsAt.has(existing.key) || store.editsOf(existing.key).length > 0) return pendingEditsError(existing.domain)
      // The website was created since, but not by this edit.
      if (edit.kind === 'create' && id === null && existing.id !== null) return domainTakenError(existing.domain)
      return put(edit, website, existing.key, null)
    }
    if (id === null && edit.kind !== 'create') return fail('website-gone')
    if (id === null && isTaken(domain, hasTwinOnService)) return domainTakenError(domain)
    return put(edit, website, local === null ? key : newKey(), website)
  }
}

/** Adds the website if needed. Call it within a write. */
export function addImportedWebsite(store: OutboxStore, { key, websiteToAdd }: ImportPlace): void {
  if (websiteToAdd === null) return
  const { id, domain, record } = websiteToAdd
  store.addWebsite(key, domain)
  if (id !== null) store.acknowledge(key, record ?? { id, domain, extra: {} })
}

/** Returns the domain that the website has once it is added. */
const domainOf = ({ id, domain, record }: ExportedWebsite): string =>
  id === null ? domain : (record?.domain ?? domain)

/** True if the edit may follow: a website has at most one sent or unconfirmed edit and one unsent edit behind it. */
const follows = (before: ExportedEdit[], edit: ExportedEdit): boolean =>
  before.length === 1 &&
  isUnsent(asEdit(edit)) &&
  before.map(asEdit).every((first) => isSent(first) || staysBehind(first, edit))

const asEdit = (edit: ExportedEdit) => ({ ...edit, seq: 0, sealed: null })

const pendingEditsError = (domain: string) =>
  fail('invalid-input', { fields: { domain: [m.input_domain_pending({ domain })] } })
