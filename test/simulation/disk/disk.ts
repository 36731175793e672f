import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Edit } from '../../../src/main/outbox/model/edit.ts'
import { asRestored } from '../../../src/main/outbox/transfer/restored.ts'
import { checkOrRestoreFile } from '../../../src/main/storage/prepare.ts'
import { openStore, type ConnectionStore } from '../../../src/main/storage/store.ts'
import { databaseFolder } from '../../database-folder.ts'
import { memoryStore } from './memory.ts'
import { frozen, Tables } from './tables.ts'

/** The database file, which outlives the runs of the app. */
export interface Disk {
  open(): ConnectionStore
  /** Returns the whole content as text, for the search for secrets. */
  text(): string
  /** Makes a backup of the file, which may be in use, and returns the edits in it. */
  backUp(): Promise<Edit[]>
  /** Damages the closed file beyond repair, and restores the backup. */
  restore(): void
  erase(): void
}

export type DiskKind = 'memory' | 'sqlite'

export const disks: Record<DiskKind, (newKey: () => string) => Disk> = { memory: memoryDisk, sqlite: sqliteDisk }

function memoryDisk(newKey: () => string): Disk {
  const tables = new Tables()
  let backup = tables.copy()
  return {
    open: () => memoryStore(tables, newKey),
    backUp() {
      backup = tables.copy()
      return Promise.resolve([...backup.edits.values()])
    },
    // Does the same as storage/restore-edits.ts.
    restore() {
      Object.assign(tables, backup)
      tables.lateWrites.clear()
      tables.meta.delete('completeAt')
      for (const edit of tables.edits.values())
        tables.edits.set(edit.id, frozen(asRestored({ ...edit, sealed: edit.sealed && new Uint8Array(0) })))
    },
    text: () =>
      JSON.stringify(
        [tables.websites, tables.edits, tables.historyRecords, tables.activity, tables.lateWrites].map((table) => [
          ...table.values(),
        ]),
        asText,
      ),
    erase: () => undefined,
  }
}

/** A `JSON.stringify` replacer: bytes as raw text. Reads them from `this`, because `toJSON` has replaced `value`. */
function asText(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const bytes = this[name]
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('latin1') : value
}

function sqliteDisk(): Disk {
  const folder = databaseFolder('siteward-model-')
  const file = join(folder, 'connection.db')
  let store: ConnectionStore | null = null
  return {
    open() {
      store?.close()
      const opened = openStore(file)
      if (!opened.ok) throw new Error(`The file can't be opened: ${opened.error.code}`)
      store = opened.value
      // No automatic backups, because they take real time. A schedule makes its own.
      return { ...store, onWrite: () => undefined }
    },
    async backUp() {
      const edits = store?.editsFrom(0, Number.MAX_SAFE_INTEGER) ?? []
      const made = await store?.backUp()
      if (made?.ok !== true) throw new Error('The file could not be backed up.')
      return edits
    },
    restore() {
      store?.close()
      store = null
      writeFileSync(file, 'no database at all'.repeat(1_000))
      const restored = checkOrRestoreFile({ file, kind: 'connection', hadData: true })
      if (!restored.ok) throw new Error(`The backup could not be restored: ${restored.error.code}`)
    },
    text: () =>
      readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), 'latin1'))
        .join(''),
    erase() {
      store?.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
