import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backupsOf } from '../../../src/main/storage/backup.ts'
import { withCopy } from '../../../src/main/storage/carry-over.ts'
import { checkOrRestoreFile } from '../../../src/main/storage/prepare.ts'
import { openStore, type ConnectionStore } from '../../../src/main/storage/store.ts'
import { ok } from '../../../src/shared/result.ts'
import { databaseFolder } from '../../database-folder.ts'
import { must } from '../outbox/rig.ts'
import { anEdit, fillStore, manyEdits } from './filled.ts'
import { seeded } from './seeded.ts'

const PAGE_BYTES = 4096
const WEBSITES = 100
const edits = manyEdits(150)
/** The edits that were sent after the backup. */
const sent = edits.filter((_, n) => n % 10 === 3).map(({ id }) => id)
/** The edits that were queued after the backup. */
const added = Array.from({ length: 15 }, (_, n) => `added-${String(n)}`)
/** The edits in the backup that were not sent later. */
const backedUp = edits.map(({ id }) => id).filter((id) => !sent.includes(id))

let folder: string
/** The content of the file when the backup was made. */
let before: Buffer
/** The content of the file with all later edits. */
let whole: Buffer
let backup: string

beforeAll(async () => {
  folder = databaseFolder('siteward-damage-')
  const file = join(folder, 'whole.db')
  fillStore(file, edits)
  before = readFileSync(file)
  const store = must(openStore(file))
  must(await store.backUp())
  for (const id of sent) must(store.write(() => ok(store.removeEdit(id))))
  for (const id of added) must(store.write(() => ok(store.addEdit(anEdit(id, edits[0]?.website ?? '')))))
  store.close()
  whole = readFileSync(file)
  backup = backupsOf(file)[0] ?? ''
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Returns a random integer n with 0 ≤ n < `below`. */
type Random = (below: number) => number

/** By kind of damage: returns the content of the damaged file, or null if the file is deleted. */
const damages: Record<string, (random: Random) => Buffer | null> = {
  'cut short': (random) => whole.subarray(0, random(whole.length)),
  'with bits turned': (random) => {
    const bytes = Buffer.from(whole)
    for (let n = random(30); n >= 0; n--) {
      const at = random(bytes.length)
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at)
    }
    return bytes
  },
  'with pages blanked': (random) => overwritten(random, 0),
  'with pages overwritten': (random) => overwritten(random, 0xff),
  'with a stretch of garbage': (random) => {
    const bytes = Buffer.from(whole)
    const from = random(bytes.length)
    for (let at = from; at < Math.min(bytes.length, from + random(3 * PAGE_BYTES)); at++)
      bytes.writeUInt8(random(256), at)
    return bytes
  },
  'with a wrong header': (random) => {
    const bytes = Buffer.from(whole)
    for (let n = random(4); n >= 0; n--) bytes.writeUInt8(random(256), random(100))
    return bytes
  },
  'that says it has a write-ahead log, and has none': () => {
    const bytes = Buffer.from(whole)
    bytes.fill(2, 18, 20)
    return bytes
  },
  'without the journal of a transaction that was interrupted': (random) => {
    const bytes = Buffer.from(whole)
    for (let n = random(5); n >= 0; n--) {
      const page = random(Math.min(before.length, whole.length) / PAGE_BYTES)
      before.copy(bytes, page * PAGE_BYTES, page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
    }
    return bytes
  },
  'that is empty': () => Buffer.alloc(0),
  'that is gone': () => null,
}

/** Returns the file with up to eight consecutive pages filled with `by`. */
function overwritten(random: Random, by: number): Buffer {
  const bytes = Buffer.from(whole)
  const first = random(whole.length / PAGE_BYTES)
  bytes.fill(by, first * PAGE_BYTES, Math.min(bytes.length, (first + 1 + random(8)) * PAGE_BYTES))
  return bytes
}

test.skipIf(process.platform === 'win32')('reads a damaged file in a copy that no other user can read', () => {
  const file = join(folder, 'read.db')
  writeFileSync(file, whole, { mode: 0o644 })
  expect(withCopy(file, () => statSync(`${file}.reading`).mode & 0o777)).toBe(0o600)
})

/** Opens the file and its backup in their own folder, as the next start does. */
function opened(bytes: Buffer | null, trial: number, work: (store: ConnectionStore, file: string) => void): void {
  const place = join(folder, String(trial))
  mkdirSync(place)
  const file = join(place, 'c.db')
  copyFileSync(backup, `${file}.backup-1`)
  if (bytes !== null) writeFileSync(file, bytes)
  must(checkOrRestoreFile({ file, kind: 'connection', hadData: true }))
  const store = must(openStore(file))
  try {
    work(store, file)
  } finally {
    store.close()
    rmSync(place, { recursive: true })
  }
}

const has = (store: ConnectionStore, id: string): boolean => store.edit(id) !== null

/** Number of damaged files, for all kinds of damage together. */
const TRIALS = 200
const kinds = Object.entries(damages)

test.each(kinds)(
  'starts on a file %s, says what is missing, and has everything that was in the backup',
  (kind, damage) => {
    const random = seeded(kind.length)
    for (let n = 0; n < TRIALS / kinds.length; n++) {
      const bytes = damage(random)
      opened(bytes, n, (store, file) => {
        const trial = `${kind}, trial ${String(n)}`
        const note = store.salvaged()
        expect(
          backedUp.filter((id) => !has(store, id)),
          trial,
        ).toEqual([])
        expect(store.total(), trial).toBeGreaterThanOrEqual(WEBSITES)
        // If the user is told nothing, nothing may be missing.
        if (note === null)
          expect(
            added.filter((id) => !has(store, id)),
            trial,
          ).toEqual([])
        else expect(note.backupAt, trial).not.toBeNull()
        // An edit that was sent after the backup is either missing, or restored as one that may have been sent.
        const again = sent.flatMap((id) => store.edit(id) ?? [])
        if (!kind.includes('journal'))
          expect(
            again.filter(({ standing }) => standing.state === 'queued'),
            trial,
          ).toEqual([])
        if (note !== null && bytes !== null && bytes.length > 0)
          expect(readFileSync(note.quarantined).equals(bytes), trial).toBe(true)
        else if (note === null) expect(existsSync(file)).toBe(true)
        if (!store.readOnly) must(store.write(() => ok(store.addWebsite('new', 'new.example'))))
      })
    }
  },
  120_000,
)

test('does not take a file whose creation was interrupted for damaged', () => {
  const file = join(folder, 'new.db')
  writeFileSync(file, whole.subarray(0, 3 * PAGE_BYTES))
  // The header of a journal for a file that had no pages before (sqlite.org/fileformat2.html, "The Rollback Journal").
  const journal = Buffer.alloc(512)
  journal.write('d9d505f920a163d7', 'hex')
  journal.writeUInt32BE(512, 20)
  journal.writeUInt32BE(PAGE_BYTES, 24)
  writeFileSync(`${file}-journal`, journal)
  must(checkOrRestoreFile({ file, kind: 'connection', hadData: false }))
  const store = must(openStore(file))
  expect(store.salvaged()).toBeNull()
  expect(store.total()).toBe(0)
  store.close()
  expect(readdirSync(folder).filter((name) => name.startsWith('new.db'))).toEqual(['new.db'])
})

test('keeps the readable edits of a file whose edits are partly damaged', () => {
  let carried = 0
  for (let page = 1; page * PAGE_BYTES < whole.length; page++) {
    const bytes = Buffer.from(whole)
    bytes.fill(0xff, page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
    opened(bytes, page, (store) => {
      if (store.salvaged() === null) return
      carried += added.filter((id) => has(store, id)).length
    })
  }
  // Whichever page is lost, nearly all edits can be read that are not in the backup.
  expect(carried / (whole.length / PAGE_BYTES - 1) / added.length).toBeGreaterThan(0.9)
}, 120_000)
