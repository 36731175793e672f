import type { Imported, ImportEffect } from '../../../shared/edit.ts'
import { PRIVACY } from '../../../shared/field-table.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { ConnectionIdentity } from './export-file.ts'
import { createImportPlan } from './import-plan.ts'
import type { ImportFile } from './import-read.ts'
import type { OutboxStore } from '../ports.ts'

export interface Importing {
  store: OutboxStore
  newKey: () => string
  /** Called with the ids of imported deletes, each of which waits its ten seconds. */
  onDeletes: (ids: readonly string[]) => void
}

/**
 * Imports an export of the same connection in one transaction. Known edits, sent or not, are skipped; edits without their
 * password are parked; rejected ones are listed. Errors: `other-connection`, `disk-full`, `storage`.
 */
export function importEdits(
  { store, newKey, onDeletes }: Importing,
  connection: ConnectionIdentity,
  file: ImportFile,
): Result<Imported> {
  const taken = store.write(() => {
    if (!isFromConnection(store, connection, file)) return fail('other-connection')
    const plan = createImportPlan(store, newKey)
    plan.add(file.rows)
    return ok(plan.carryOut())
  })
  if (!taken.ok) return taken
  onDeletes(taken.value.deletes)
  return ok(taken.value.imported)
}

/**
 * Counts what a file would do here; changes nothing. It includes the edits that an import may refuse, because what it refuses
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
      if (edit === null || website === null || store.edit(edit.id) !== null || store.wasApplied(edit.id)) continue
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
