import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type ConnectionStore } from '../../../src/main/storage/store.ts'
import { memoryStore } from './memory.ts'
import { Tables } from './tables.ts'

/** What outlives the runs of the app. */
export interface Disk {
  /** As a start of the app finds it. */
  open(): ConnectionStore
  /** All that is written on it, as text to be searched. */
  text(): string
  erase(): void
}

export type DiskKind = 'memory' | 'sqlite'

export const disks: Record<DiskKind, (newKey: () => string) => Disk> = { memory: memoryDisk, sqlite: sqliteDisk }

function memoryDisk(newKey: () => string): Disk {
  const tables = new Tables()
  return {
    open: () => memoryStore(tables, newKey),
    text: () =>
      JSON.stringify(
        [tables.websites, tables.edits, tables.pasts, tables.strays].map((table) => [...table.values()]),
        asText,
      ),
    erase: () => undefined,
  }
}

/** Bytes as they are, before they can tell how they want to be written down. */
function asText(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const bytes = this[name]
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('latin1') : value
}

/** Files that are in memory, where the system has such: what is tested here isn't the hardware. */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** The real store on a real file. */
function sqliteDisk(): Disk {
  const folder = mkdtempSync(join(parent, 'siteward-model-'))
  let store: ConnectionStore | null = null
  return {
    open() {
      store?.close()
      const opened = openStore(join(folder, 'connection.db'))
      if (!opened.ok) throw new Error(`The file can't be opened: ${opened.error.code}`)
      store = opened.value
      // Backups take real time; restore.test.ts makes its own.
      return { ...store, onWrite: () => undefined }
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
