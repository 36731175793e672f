import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prepareFile } from '../../../src/main/storage/prepare.ts'
import { openStore, type ConnectionStore } from '../../../src/main/storage/store.ts'
import { ok } from '../../../src/shared/result.ts'
import { must } from '../outbox/rig.ts'

const PAGE = 4096
/** Some to a page. */
const rows = Array.from({ length: 60 }, (_, n) => JSON.stringify({ story: `story-${String(n)}-${'s'.repeat(400)}` }))

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-salvage-staged-'))
  file = join(folder, 'connection.sqlite')
})

afterEach(() => rmSync(folder, { recursive: true }))

/** A long import, put aside to its end or not. */
function fill(isLast: boolean): Buffer {
  const store = must(openStore(file))
  must(store.write(() => ok(store.stage(rows, isLast))))
  store.close()
  return readFileSync(file)
}

function opened<T>(damaged: Buffer, work: (store: ConnectionStore) => T): T {
  writeFileSync(file, damaged)
  must(prepareFile({ file, kind: 'connection', known: true }))
  const store = must(openStore(file))
  try {
    expect(store.salvaged()).not.toBeNull()
    return work(store)
  } finally {
    store.close()
  }
}

const blank = (bytes: Buffer, row: string): Buffer => {
  const page = Math.floor(bytes.indexOf(row) / PAGE)
  return Buffer.from(bytes).fill(0, page * PAGE, (page + 1) * PAGE)
}
const stagedIn = (store: ConnectionStore) => store.staged(rows.length).map((row) => JSON.stringify(row))

test.each([
  { isLast: true, is: 'whole' },
  { isLast: false, is: 'part' },
])('an import that was put aside ($is) outlives a damaged header as it was', ({ isLast, is }) => {
  const bytes = fill(isLast).fill(0xaa, 0, 16)
  opened(bytes, (store) => {
    expect(store.stagedState()).toBe(is)
    expect(stagedIn(store)).toEqual(rows)
  })
})

test('one that was taken isn’t given up because its end is lost: what is left of it goes on', () => {
  const bytes = fill(true)
  opened(blank(bytes, rows.at(-1) ?? ''), (store) => {
    const left = stagedIn(store)
    expect(left.length).toBeGreaterThan(0)
    expect(left).toEqual(rows.slice(0, left.length))
    expect(store.stagedState()).toBe('whole')
  })
})

test('in its middle it lacks what lay on the lost page alone', () => {
  const bytes = fill(true)
  opened(blank(bytes, rows[30] ?? ''), (store) => {
    const left = stagedIn(store)
    expect(left.length).toBeGreaterThan(40)
    expect(left.at(-1)).toBe(rows.at(-1))
    expect(store.stagedState()).toBe('whole')
  })
})
