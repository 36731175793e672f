import { ok, type Result } from '../../../src/shared/result.ts'
import type { ConnectionStore } from '../../../src/main/storage/store.ts'
import { memoryEdits, memoryActivity, memoryLateWrites } from './memory-edits.ts'
import { memoryReplica, memoryWebsites } from './memory-websites.ts'
import type { Tables } from './tables.ts'

/** A connection's store in memory, with the transactions of the real one; it can be opened again over the same tables. */
export function memoryStore(tables: Tables, newKey: () => string): ConnectionStore {
  const read = <T>(work: () => Result<T>): Result<T> => work()
  return {
    ...memoryEdits(tables),
    ...memoryActivity(tables),
    ...memoryLateWrites(tables),
    ...memoryWebsites(tables),
    ...memoryReplica(tables, { ...memoryEdits(tables), ...memoryLateWrites(tables) }, newKey),
    // Bulk changes, which cause no requests of their own, and data that is never sent, such as tags, are not stored.
    bulkChange: () => ok(null),
    saveBulkChange: () => ok(undefined),
    bulkUndo: () => ok(null),
    saveBulkUndo: () => ok(undefined),
    latestEdits: () => ok([]),
    trace: () => ok([]),
    presets: () => ok([]),
    tags: () => ok([]),
    localWebsites: () => ok([]),
    hasNotes: () => ok(false),
    hasLocal: () => ok(false),
    saveLocal: () => ok(undefined),
    moveLocal: () => undefined,
    sweepLocal: () => ok(undefined),
    savedViews: () => ok([]),
    saveView: () => ok(undefined),
    removeView: () => ok(undefined),
    savePresets: () => ok(undefined),
    removePreset: () => ok(undefined),
    readOnly: false,
    read,
    write: (work) => tables.transaction(work),
    salvaged: () => null,
    onWrite: () => undefined,
    backUp: () => Promise.resolve(ok(undefined)),
    noteRecovery: () => ok(undefined),
    dismissSalvage: () => ok(undefined),
    mismatches: () => 0,
    remoteChanges: () => 0,
    activitySeen: () => ok(undefined),
    pruneActivity: () => ok(undefined),
    takeRemoteNews: () => ok(null),
    remoteChangesBetween: () => ok([]),
    close: () => undefined,
  }
}
