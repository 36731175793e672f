import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { ok, type Result } from '../../shared/result.ts'
import type { BulkChangeStore } from '../bulk/ports.ts'
import type { OutboxStore } from '../outbox/ports.ts'
import type { ReplicaStore, ViewStore } from '../replica/ports.ts'
import { activityStore, type UnseenActivity } from './activity.ts'
import { createBackupMaker } from './backup.ts'
import type { BackupSource } from './backup-schedule.ts'
import { bulkChangeStore } from './bulk-change.ts'
import { tagsAndNotesStore, type TagsAndNotesStore } from './local.ts'
import { writeConnectionNote, type StoredConnection } from './connection-note.ts'
import { editStore } from './edits.ts'
import { filesNamedAfter, flushToDisk } from './files.ts'
import { replicaStore } from './replica.ts'
import { connectionFile } from './schema.ts'
import { openDatabase } from './open-database.ts'
import { presetStore, savedViewStore, type PresetStore, type SavedViewStore } from './list-store.ts'
import { recoveryNote, type RecoveryNote } from './recovery-note.ts'
import { asFailure, closeDatabase, runRead, transact } from './sqlite.ts'
import { lateWriteStore } from './late-writes.ts'
import { websiteStore } from './websites.ts'

/** Holds edits and replica in one file, so that an acknowledgment changes both in one transaction. */
export interface ConnectionStore
  extends
    OutboxStore,
    ReplicaStore,
    ViewStore,
    PresetStore,
    SavedViewStore,
    TagsAndNotesStore,
    BulkChangeStore,
    UnseenActivity,
    RecoveryNote,
    BackupSource {
  close(): void
}

/** Writes `connection` into the file. Errors: those of {@link openDatabase}. */
export function openStore(file: string, connection?: StoredConnection): Result<ConnectionStore> {
  return openDatabase(file, connectionFile, (db) => {
    if (connection !== undefined) writeConnectionNote(db, connection)
    const edits = editStore(db)
    const lateWrites = lateWriteStore(db)
    const websites = websiteStore(db, edits.editsOf)
    const replica = replicaStore(db, { ...edits, ...lateWrites }, randomUUID)
    const local = tagsAndNotesStore(db)
    const presets = presetStore(db)
    const views = savedViewStore(db)
    let written: (added: number) => void = () => {}
    let added = 0
    const changes = db.prepare<[], number>('SELECT total_changes()').pluck()
    /** Tells the backups about a write outside of the outbox, if it has changed something. */
    const noted = <T>(done: Result<T>, isChange: (value: T) => boolean = () => true): Result<T> => {
      if (done.ok && isChange(done.value)) written(0)
      return done
    }
    return {
      ...edits,
      ...websites,
      ...replica,
      ...local,
      ...activityStore(db),
      ...lateWrites,
      ...presets,
      ...views,
      ...bulkChangeStore(db),
      readOnly: db.readonly,
      ...recoveryNote(db, 'meta'),
      read: runRead,
      renameWebsite(key, domain) {
        const former = websites.website(key)?.domain
        websites.renameWebsite(key, domain)
        if (former !== undefined) local.moveLocal(former, domain)
      },
      acknowledge(key, record) {
        const former = websites.website(key)?.domain
        replica.acknowledge(key, record)
        if (former !== undefined) local.moveLocal(former, record.domain)
      },
      addEdit(edit) {
        added += 1
        edits.addEdit(edit)
      },
      write(work) {
        added = 0
        let isChanged = false
        const done = transact(db, () => {
          const before = changes.get()
          const result = work()
          isChanged = changes.get() !== before
          return result
        })
        if (done.ok && isChanged) written(added)
        return done
      },
      saveLocal: (changes) => noted(local.saveLocal(changes)),
      savePresets: (...all) => noted(presets.savePresets(...all)),
      removePreset: (id) => noted(presets.removePreset(id)),
      saveView: (...all) => noted(views.saveView(...all)),
      removeView: (id) => noted(views.removeView(id)),
      savePage: (page) => noted(replica.savePage(page), (changed) => changed.length > 0),
      removeMissing: (...all) => noted(replica.removeMissing(...all), (isGone) => isGone),
      onWrite: (listener) => void (written = listener),
      backUp: createBackupMaker(db, file),
      close: () => closeDatabase(db),
    }
  })
}

/** Deletes a connection's file with its journal, backups and quarantined copies. The file must be closed. Errors: `storage`. */
export function eraseStore(file: string): Result<void> {
  try {
    for (const path of filesNamedAfter(file, '')) rmSync(path, { force: true })
    flushToDisk(dirname(file))
    return ok(undefined)
  } catch (error) {
    return asFailure(error)
  }
}
