import { m } from '../../../messages/index.ts'
import type { ImportResult, ImportEffect } from '../../../shared/edit.ts'
import { PRIVACY } from '../../../shared/field-table.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { staysBehind } from '../enqueue/coalesce.ts'
import { domainListedError } from '../enqueue/commands.ts'
import { isSent, isUnsent, MISSING_PASSWORD, PARKED_FOR_PASSWORD, type Edit } from '../model/edit.ts'
import type { ConnectionIdentity, ExportedEdit, ExportedWebsite } from './export-file.ts'
import type { ImportFile, ImportRow } from './import-read.ts'
import type { OutboxStore } from '../ports.ts'

/**
 * Imports an export of the same connection in one transaction. Skips known edits, sent or not; parks edits whose password is
 * missing, unless they are in doubt; lists rejected ones. `deletes`: ids of imported deletes, whose wait for Undo begins now.
 * Errors: `other-connection`, `disk-full`, `storage`.
 */
export function importEdits(
  store: OutboxStore,
  newKey: () => string,
  connection: ConnectionIdentity,
  file: ImportFile,
): Result<{ imported: ImportResult; deletes: string[] }> {
  return store.write(() => {
    if (!isFromConnection(store, connection, file)) return fail('other-connection')
    const imported: ImportResult = { added: 0, skipped: 0, parked: 0, refused: [] }
    const deletes: string[] = []
    const keys = new Map<string, string>()
    for (const row of file.rows) {
      if (row.edit !== null && isKnown(store, row.edit)) {
        imported.skipped += 1
        continue
      }
      const added = addRow({ store, newKey, keys }, row)
      if (!added.ok) {
        imported.refused.push({ domain: row.website?.domain ?? '', error: added.error })
        continue
      }
      const edit = added.value
      if (edit.kind === 'delete') deletes.push(edit.id)
      imported.added += 1
      imported.parked += Number(sendsPassword(edit) && edit.standing.state !== 'inDoubt')
    }
    return ok({ imported, deletes })
  })
}

/** The state of an import that all of its rows share. */
interface Importing {
  store: OutboxStore
  newKey: () => string
  /** Maps keys of websites in the file to keys here, for websites that have an imported edit. */
  keys: Map<string, string>
}

/** Adds the edit of a row, and its website if it is not here. The error tells why the edit is rejected. */
function addRow(importing: Importing, { edit, website, hasTwinOnService, error }: ImportRow): Result<ExportedEdit> {
  if (edit === null) return fail('bad-file')
  if (website === null) return fail('website-gone')
  if (error !== null) return { ok: false, error }
  const key = findOrAddWebsite(importing, edit, website, hasTwinOnService)
  if (!key.ok) return key
  importing.keys.set(website.key, key.value)
  importing.store.addEdit(toEdit(edit, website, key.value))
  return ok(edit)
}

/**
 * Returns the key that an edit's website has here, and adds the website if it is not here. Errors: `website-gone`;
 * `invalid-input` if the website has other pending edits or its domain is taken; `bad-file` if the edit cannot follow those
 * before it.
 */
function findOrAddWebsite(
  { store, newKey, keys }: Importing,
  edit: ExportedEdit,
  website: ExportedWebsite,
  hasTwinOnService: boolean,
): Result<string> {
  const { key, id, domain, record } = website
  const placed = keys.get(key)
  if (placed !== undefined) return canFollow(store.editsOf(placed), edit) ? ok(placed) : fail('bad-file')
  const local = store.website(key)
  // A website is the same if it has the same id, or, without an id, the same key and domain here.
  const existing = id === null ? (local?.domain === domain ? local : null) : store.websiteOfId(id)
  if (existing !== null) {
    // Edits from two sources cannot be merged safely. The user still has the file.
    if (store.editsOf(existing.key).length > 0) return pendingEditsError(existing.domain)
    // The website was created since, but not by this edit.
    if (edit.kind === 'create' && id === null && existing.id !== null) return domainListedError(existing.domain)
    return ok(existing.key)
  }
  if (id === null && edit.kind !== 'create') return fail('website-gone')
  if (id === null && isTaken(store, domain, hasTwinOnService)) return domainListedError(domain)
  const added = local === null ? key : newKey()
  store.addWebsite(added, domain)
  if (id !== null) store.acknowledge(added, record ?? { id, domain, extra: {} })
  return ok(added)
}

/**
 * True if a website has the domain. Websites that are being deleted don't count; with `hasTwinOnService`, websites on the service
 * don't count either.
 */
const isTaken = (store: OutboxStore, domain: string, hasTwinOnService: boolean): boolean =>
  store
    .websitesOfDomain(domain)
    .some(({ key, id }) => (id === null || !hasTwinOnService) && store.editsOf(key).at(-1)?.kind !== 'delete')

/** A website has at most one sent or unconfirmed edit, and one unsent edit behind it. */
const canFollow = ([first, ...others]: Edit[], edit: ExportedEdit): boolean =>
  first !== undefined && others.length === 0 && isUnsent(edit) && (isSent(first) || staysBehind(first, edit))

const pendingEditsError = (domain: string) =>
  fail('invalid-input', { fields: { domain: [m.input_domain_pending({ domain })] } })

const isKnown = (store: OutboxStore, { id }: ExportedEdit): boolean => store.edit(id) !== null || store.wasApplied(id)

/** A delete keeps the password of a superseded update for Undo, but does not send it. */
const sendsPassword = ({ kind, password }: ExportedEdit): boolean => password && kind !== 'delete'

/** Parks an edit without its password, unless it is in doubt. Its base gets the file's domain, which the user has confirmed. */
function toEdit(from: ExportedEdit, { id, domain }: ExportedWebsite, website: string): Omit<Edit, 'seq'> {
  const { password, standing, ...edit } = from
  const sealed = password ? MISSING_PASSWORD : null
  const waits = sendsPassword(from) && standing.state === 'queued'
  const base = id === null ? edit.base : { ...edit.base, domain }
  return { ...edit, base, website, sealed, standing: waits ? PARKED_FOR_PASSWORD : standing }
}

/**
 * Counts what the import would queue, and changes nothing. Includes edits that the import may reject, because which ones it
 * rejects can change until the user confirms. Errors: `other-connection`, `storage`.
 */
export function summarizeImport(
  store: OutboxStore,
  connection: ConnectionIdentity,
  file: ImportFile,
): Result<ImportEffect> {
  return store.read(() => {
    if (!isFromConnection(store, connection, file)) return fail('other-connection')
    const summary: ImportEffect = { creates: 0, updates: 0, deletes: [], published: 0 }
    for (const { edit, website } of file.rows) {
      if (edit === null || website === null || isKnown(store, edit)) continue
      if (edit.kind === 'create') summary.creates += 1
      else if (edit.kind === 'update') summary.updates += 1
      else summary.deletes.push(website.domain)
      summary.published += Number(edit.kind !== 'delete' && edit.settings.privacy === PRIVACY.public)
    }
    return ok(summary)
  })
}

/** If an account is unknown, the file must come from here or share a website: an edit must never reach another account. */
function isFromConnection(
  store: OutboxStore,
  connection: ConnectionIdentity,
  { connection: exported, websites }: ImportFile,
): boolean {
  if (connection.address !== exported.address) return false
  if (connection.account !== null && exported.account !== null) return connection.account === exported.account
  return (
    connection.id === exported.id ||
    websites.some(({ id, domain }) => id !== null && store.websiteOfId(id)?.domain === domain)
  )
}
