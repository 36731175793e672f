import type { Imported } from '../../../shared/edit.ts'
import { fail, type AppError } from '../../../shared/result.ts'
import { MISSING_PASSWORD, type Edit, type Standing } from '../model/edit.ts'
import type { ExportedEdit } from './export-file.ts'
import { createPlaceImport, addImportedWebsite, type ImportPlace } from './import-place.ts'
import type { ImportRow } from './import-read.ts'
import type { OutboxStore } from '../ports.ts'

/** The result of an import, and the ids of its deletes, which wait ten seconds. */
interface CarriedOutImport {
  imported: Imported
  deletes: string[]
}

/** A plan for the edits of a file, made by reading only. */
export interface ImportPlan {
  /** Adds rows in their order. Call it within a read or a write. */
  add(rows: ImportRow[]): void
  /** Stores the planned edits. Call it within a write. */
  carryOut(): CarriedOutImport
}

export function createImportPlan(store: OutboxStore, newKey: () => string): ImportPlan {
  const placing = createPlaceImport(store, newKey)
  const steps: { edit: ExportedEdit; place: ImportPlace }[] = []
  const ids = new Set<string>()
  const imported: Imported = { added: 0, skipped: 0, parked: 0, refused: [] }

  const isKnown = (id: string): boolean => ids.has(id) || store.edit(id) !== null || store.wasApplied(id)

  function plan({ edit, website, beside, error }: ImportRow): AppError | null {
    if (edit === null) return fail('bad-file').error
    if (isKnown(edit.id)) {
      imported.skipped += 1
      return null
    }
    if (website === null) return fail('website-gone').error
    if (error !== null) return error
    const place = placing(edit, website, beside)
    if (!place.ok) return place.error
    ids.add(edit.id)
    steps.push({ edit, place: place.value })
    imported.added += 1
    imported.parked += Number(sendsPassword(edit) && edit.standing.state !== 'inDoubt')
    return null
  }

  return {
    add(rows) {
      for (const row of rows) {
        const error = plan(row)
        if (error !== null) imported.refused.push({ domain: row.website?.domain ?? '', error })
      }
    },
    carryOut() {
      for (const { edit, place } of steps) {
        addImportedWebsite(store, place)
        store.addEdit(toEdit(edit, place.key))
      }
      return { imported, deletes: steps.flatMap(({ edit }) => (edit.kind === 'delete' ? [edit.id] : [])) }
    },
  }
}

/** True if the edit sends a password. A delete does not: it keeps the password of a superseded update for Undo. */
const sendsPassword = ({ kind, password }: ExportedEdit): boolean => password && kind !== 'delete'

/** Returns the edit to store. It is parked if its password is missing, unless it is in doubt and is settled by reading first. */
function toEdit(from: ExportedEdit, website: string): Omit<Edit, 'seq'> {
  const { password, standing, ...edit } = from
  const sealed = password ? MISSING_PASSWORD : null
  const waits = sendsPassword(from) && standing.state === 'queued'
  const parked: Standing = { state: 'parked', reason: 'password', error: null, theirs: null }
  return { ...edit, website, sealed, standing: waits ? parked : standing }
}
