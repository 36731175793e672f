import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { prepareFile } from '../../../src/main/storage/prepare.ts'
import { openStore, type ConnectionStore } from '../../../src/main/storage/store.ts'
import type { Edit } from '../../../src/main/outbox/edit.ts'
import { ok } from '../../../src/shared/result.ts'
import { must } from '../outbox/rig.ts'
import { anEdit, fillStore, manyEdits } from './filled.ts'
import { seeded } from './seeded.ts'

const PAGE = 4096
const edits = manyEdits(150)
/** So few that all of them are in the log still. */
const few = edits.slice(0, 13)

let folder: string
let whole: Buffer
/** The pages that an edit lies in, by looking for what only it says. */
let pagesOf: Map<string, number[]>

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-salvage-'))
  const file = join(folder, 'whole.sqlite')
  fillStore(file, edits)
  whole = readFileSync(file)
  pagesOf = new Map(edits.map((edit) => [edit.id, pagesWith(whole, edit)]))
})

afterAll(() => rmSync(folder, { recursive: true }))

let file: string
let count = 0

beforeEach(() => {
  file = join(folder, `${String(++count)}.sqlite`)
})

/** Its row is where its id and its settings are; a long one goes on in pages that hold its lines. */
function pagesWith(bytes: Buffer, { id, settings }: Omit<Edit, 'seq'>): number[] {
  const marks = [id, ...(settings.exclude_ips ?? [])].map((text) => Buffer.from(text))
  const pages = new Set<number>()
  for (const mark of marks) {
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) pages.add(Math.floor(at / PAGE))
  }
  const isIndex = (page: number) => [0x02, 0x0a].includes(bytes[page * PAGE] ?? 0)
  return [...pages].filter((page) => !isIndex(page))
}

function opened<T>(work: (store: ConnectionStore) => T): T {
  must(prepareFile({ file, kind: 'connection', known: true }))
  const store = must(openStore(file))
  try {
    return work(store)
  } finally {
    store.close()
  }
}

const aside = () => readdirSync(folder).filter((name) => name.startsWith(`${String(count)}.sqlite.damaged-`))

/** Every edit that the damage hasn't touched is there as it was; if any isn't, that's told, and the file is kept. */
function expectSalvaged(damaged: Buffer, isTouched: (page: number) => boolean): void {
  writeFileSync(file, damaged)
  opened((store) => {
    const missing = edits.filter(({ id }) => store.edit(id) === null)
    for (const edit of edits) {
      const pages = pagesOf.get(edit.id) ?? []
      if (pages.some(isTouched)) continue
      const found = store.edit(edit.id)
      expect(found, edit.id).not.toBeNull()
      if (found?.standing.state !== 'unreadable') expect(found).toMatchObject(edit)
      expect(store.website(edit.website)).not.toBeNull()
    }
    if (missing.length > 0) expect(store.salvaged()).not.toBeNull()
    const note = store.salvaged()
    if (note !== null) expect(readFileSync(note.aside).equals(damaged)).toBe(true)
    else expect(aside()).toEqual([])
    // What is left works: it's counted, listed and written.
    expect(store.counts().waiting + store.counts().parked).toBeGreaterThanOrEqual(edits.length - missing.length)
    must(store.write(() => ok(store.addWebsite('new', 'new.example'))))
  })
  for (const name of [`${String(count)}.sqlite`, ...aside()]) rmSync(join(folder, name), { force: true })
}

describe('a damaged file', () => {
  test('cut short at any length: what lies before the cut is there', () => {
    for (let part = 0; part <= 12; part++) {
      const length = Math.floor((whole.length * part) / 12) - (part % 3)
      if (length < 0 || length === whole.length) continue
      expectSalvaged(whole.subarray(0, length), (page) => (page + 1) * PAGE > length)
    }
  })

  test('with bits turned anywhere: what lies on other pages is there', () => {
    const random = seeded(1)
    for (let trial = 0; trial < 12; trial++) {
      const bytes = Buffer.from(whole)
      const touched = new Set<number>()
      for (let n = random(30); n >= 0; n--) {
        const at = random(bytes.length)
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at)
        touched.add(Math.floor(at / PAGE))
      }
      expectSalvaged(bytes, (page) => touched.has(page))
    }
  })

  test('with pages blanked or overwritten: the others are there', () => {
    const random = seeded(2)
    for (let trial = 0; trial < 12; trial++) {
      const bytes = Buffer.from(whole)
      const first = random(whole.length / PAGE)
      const last = Math.min(first + random(8), whole.length / PAGE - 1)
      bytes.fill(trial % 2 === 0 ? 0 : 0xff, first * PAGE, (last + 1) * PAGE)
      expectSalvaged(bytes, (page) => page >= first && page <= last)
    }
  })

  test('with any byte of its header wrong: everything is there', () => {
    for (let at = 0; at < 100; at += 5) {
      // Another count of migrations is one of a newer version, which isn't touched.
      if (at >= 60 && at < 64) continue
      const bytes = Buffer.from(whole)
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x55, at)
      expectSalvaged(bytes, () => false)
    }
  })

  test('that is no database at all is put aside, and it is told', () => {
    const garbage = Buffer.from('no database at all'.repeat(1000))
    writeFileSync(file, garbage)
    expect(opened((store) => store.salvaged())).toMatchObject({ websites: 0, edits: 0, lost: null })
    expect(aside()).toHaveLength(1)
  })

  test.each(['empty', 'missing'])('that is %s where data was: it is told, until it was read', (how) => {
    if (how === 'empty') writeFileSync(file, '')
    expect(opened((store) => store.salvaged())).toMatchObject({ edits: 0, lost: null })
    expect(opened((store) => store.salvaged())).not.toBeNull()
    opened((store) => must(store.dismissSalvage()))
    expect(opened((store) => store.salvaged())).toBeNull()
  })

  test('a new one is no damaged one', () => {
    must(prepareFile({ file, kind: 'connection', known: false }))
    expect(existsSync(file)).toBe(false)
    const store = must(openStore(file))
    expect(store.salvaged()).toBeNull()
    store.close()
  })

  test('a table that this version has is gone: the rest is there', () => {
    writeFileSync(file, whole)
    const db = new Database(file)
    db.exec('DROP TABLE history')
    db.close()
    opened((store) => {
      expect(store.salvaged()).toMatchObject({ edits: edits.length, lost: 0 })
      expect(store.countPasts(undefined)).toBe(0)
    })
  })

  test('the number of a removed edit is given to nobody again, and a list that was complete isn’t', () => {
    writeFileSync(file, whole)
    const before = opened((store) => {
      const last = store.edit(edits.at(-1)?.id ?? '')
      must(store.write(() => ok(store.removeEdit(last?.id ?? ''))))
      expect(store.completeAt()).toBe(5)
      return last?.seq ?? 0
    })
    damageHeader()
    opened((store) => {
      must(store.write(() => ok(store.addEdit(anEdit('another', edits[0]?.website ?? '')))))
      expect(store.edit('another')?.seq).toBeGreaterThan(before)
      expect(store.completeAt()).toBeNull()
    })
  })
})

function damageHeader(): void {
  const bytes = readFileSync(file)
  bytes.fill(0xaa, 0, 16)
  writeFileSync(file, bytes)
}

describe('a log that was left by a killed process', () => {
  /** Copies what lies on disk while it's open, as it is when the process is killed. */
  function killed(): Buffer {
    const live = join(folder, `${String(count)}-live.sqlite`)
    fillStore(live, few, { close: false })
    copyFileSync(live, file)
    return readFileSync(`${live}-wal`)
  }
  const ids = (store: ConnectionStore) => few.filter(({ id }) => store.edit(id) !== null).length

  test('is taken as it is, and its torn end is no damage', () => {
    const log = killed()
    writeFileSync(`${file}-wal`, log)
    opened((store) => {
      expect(ids(store)).toBe(few.length)
      expect(store.salvaged()).toBeNull()
    })
    writeFileSync(file, Buffer.alloc(0))
    rmSync(file)
    copyFileSync(join(folder, `${String(count)}-live.sqlite`), file)
    writeFileSync(`${file}-wal`, log.subarray(0, log.length - 100))
    opened((store) => {
      expect(ids(store)).toBe(few.length - 1)
      expect(store.salvaged()).toBeNull()
    })
  })

  test('is damaged in its middle: what comes behind isn’t dropped in silence', () => {
    const log = killed()
    const random = seeded(3)
    for (let trial = 0; trial < 10; trial++) {
      const bytes = Buffer.from(log)
      // Twice in its header, then anywhere before its last writes.
      const at = [5, 26][trial] ?? random(log.length * 0.7)
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at)
      copyFileSync(join(folder, `${String(count)}-live.sqlite`), file)
      writeFileSync(`${file}-wal`, bytes)
      opened((store) => {
        expect(store.salvaged(), String(trial)).not.toBeNull()
        expect(ids(store)).toBeGreaterThanOrEqual(few.length - 1)
        expect(readFileSync(`${store.salvaged()?.aside ?? ''}-wal`).equals(bytes)).toBe(true)
      })
      rmSync(file)
    }
  })

  test('is all that is left: the file beside it is empty', () => {
    writeFileSync(`${file}-wal`, killed())
    writeFileSync(file, '')
    opened((store) => {
      expect(ids(store)).toBe(few.length)
      expect(store.salvaged()).toMatchObject({ edits: few.length })
    })
  })
})
