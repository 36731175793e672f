import type { Imported, ImportEffect } from '../../../shared/edit.ts'
import { PRIVACY } from '../../../shared/field-table.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { MISSING_PASSWORD, PARKED_FOR_PASSWORD, type Edit } from '../model/edit.ts'
import type { ConnectionIdentity, ExportedEdit } from './export-file.ts'
import { addImportedWebsite, createPlaceImport, type ImportPlace } from './import-place.ts'
import type { ImportFile, ImportRow } from './import-read.ts'
import type { OutboxStore } from '../ports.ts'

export interface Importing {
  store: OutboxStore
  newKey: () => string
  /** Called with the ids of imported deletes, each of which waits its ten seconds. */
  onDeletes: (ids: readonly string[]) => void
}

/**
 * Imports an export of the same connection in one transaction. Known edits, sent or not, are skipped; edits without their
 * password are parked, unless they are in doubt; rejected ones are listed. Errors: `other-connection`, `disk-full`, `storage`.
 */
export function importEdits(
  { store, newKey, onDeletes }: Importing,
  connection: ConnectionIdentity,
  file: ImportFile,
): Result<Imported> {
  const taken = store.write(() => {
    if (!isFromConnection(store, connection, file)) return fail('other-connection')
    const { imported, planned } = planImport(store, newKey, file.rows)
    for (const { edit, place } of planned) {
      addImportedWebsite(store, place)
      store.addEdit(toEdit(edit, place.key))
    }
    return ok({ imported, deletes: planned.flatMap(({ edit }) => (edit.kind === 'delete' ? [edit.id] : [])) })
  })
  if (!taken.ok) return taken
  onDeletes(taken.value.deletes)
  return ok(taken.value.imported)
}

interface Planned {
  edit: ExportedEdit
  place: ImportPlace
}

/** Plans the edits of a file in their order, by reading only. Returns those to add, and the result of the import. */
function planImport(store: OutboxStore, newKey: () => string, rows: readonly ImportRow[]) {
  const placeImport = createPlaceImport(store, newKey)
  const planned: Planned[] = []
  const ids = new Set<string>()
  const imported: Imported = { added: 0, skipped: 0, parked: 0, refused: [] }

  /** Returns the edit of a row with its place, or the reason why it is rejected. */
  function plan({ edit, website, hasTwinOnService, error }: ImportRow): Result<Planned> {
    if (edit === null) return fail('bad-file')
    if (website === null) return fail('website-gone')
    if (error !== null) return { ok: false, error }
    const place = placeImport(edit, website, hasTwinOnService)
    return place.ok ? ok({ edit, place: place.value }) : place
  }

  for (const row of rows) {
    if (row.edit !== null && (ids.has(row.edit.id) || isKnown(store, row.edit))) {
      imported.skipped += 1
      continue
    }
    const plannedRow = plan(row)
    if (!plannedRow.ok) {
      imported.refused.push({ domain: row.website?.domain ?? '', error: plannedRow.error })
      continue
    }
    const { edit } = plannedRow.value
    ids.add(edit.id)
    planned.push(plannedRow.value)
    imported.added += 1
    imported.parked += Number(sendsPassword(edit) && edit.standing.state !== 'inDoubt')
  }
  return { imported, planned }
}

/** True if an edit of a file is here already, or was applied. */
const isKnown = (store: OutboxStore, { id }: ExportedEdit): boolean => store.edit(id) !== null || store.wasApplied(id)

/** True if the edit sends a password. A delete does not: it keeps the password of a superseded update for Undo. */
const sendsPassword = ({ kind, password }: ExportedEdit): boolean => password && kind !== 'delete'

/** Returns the edit to store. It is parked if its password is missing, unless it is in doubt and is settled by reading first. */
function toEdit(from: ExportedEdit, website: string): Omit<Edit, 'seq'> {
  const { password, standing, ...edit } = from
  const sealed = password ? MISSING_PASSWORD : null
  const waits = sendsPassword(from) && standing.state === 'queued'
  return { ...edit, website, sealed, standing: waits ? PARKED_FOR_PASSWORD : standing }
}

/**
 * Counts what a file would do here; changes nothing. The counts include edits that the import may refuse, because what it refuses
 * can change until the user confirms. Errors: `other-connection`, `storage`.
 */
export function summariseImport(
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
      // The website may have another domain here than in the file.
      else summary.deletes.push((website.id === null ? null : store.websiteOfId(website.id))?.domain ?? website.domain)
      summary.published += Number(edit.kind !== 'delete' && edit.settings.privacy === PRIVACY.public)
    }
    return ok(summary)
  })
}

/**
 * True if a file was exported from this connection. If one side does not know its account, the file must have been made here or
 * share a website with this connection: an edit must never reach another account.
 */
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
