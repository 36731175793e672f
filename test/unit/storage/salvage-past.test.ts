import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Past } from '../../../src/main/outbox/history.ts'
import type { Stray } from '../../../src/main/outbox/strays.ts'
import { prepareFile } from '../../../src/main/storage/prepare.ts'
import { openStore, type ConnectionStore } from '../../../src/main/storage/store.ts'
import { ok } from '../../../src/shared/result.ts'
import { must } from '../outbox/rig.ts'
import { fillStore, manyEdits } from './filled.ts'
import { seeded } from './seeded.ts'

const PAGE = 4096
const edits = manyEdits(60)
const websiteOf = (n: number) => edits[n % edits.length]?.website ?? ''

const pasts = Array.from({ length: 120 }, (_, n): Past => ({
  ...{ id: `past-${String(n)}-${'p'.repeat(20)}`, website: websiteOf(n), domain: 'a.example', kind: 'update' },
  ...{ became: n % 3 === 0 ? 'discarded' : 'sent', settings: { email: true }, password: n % 2 === 0 },
  ...{ before: { exclude_ips: Array.from({ length: n % 40 === 0 ? 500 : 1 }, (__, ip) => `10.1.0.${String(ip)}`) } },
  ...{ overwritten: {}, ignored: {}, at: n, undone: false, putBack: false },
}))
const strays = Array.from({ length: 40 }, (_, n): Omit<Stray, 'n'> => ({
  ...{ edit: `stray-${String(n)}-${'s'.repeat(20)}`, website: websiteOf(n), domain: 'a.example', kind: 'update' },
  ...{ settings: { email: true }, sent: null, expected: { email: false }, updated_at: null },
  sealed: n % 2 === 0 ? Buffer.from(`carried-${String(n)}-${'c'.repeat(30)}`) : null,
  newest: n % 3 === 0 ? Buffer.from(`newest-${String(n)}-${'n'.repeat(30)}`) : null,
}))

let folder: string
let file: string
let whole: Buffer

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-salvage-past-'))
  file = join(folder, 'connection.sqlite')
  fillStore(file, edits)
  const store = must(openStore(file))
  for (const past of pasts) must(store.write(() => ok(store.addPast(past))))
  for (const stray of strays) must(store.write(() => ok(store.addStray(stray))))
  // What was noted is there, and its number is too; some edits are gone by now.
  must(store.write(() => ok(store.removeEdit(edits[0]?.id ?? ''))))
  store.close()
  whole = readFileSync(file)
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Opens what was made of a damaged file. */
function salvaged(damaged: Buffer, work: (store: ConnectionStore) => void): void {
  writeFileSync(file, damaged)
  must(prepareFile({ file, kind: 'connection', known: true }))
  const store = must(openStore(file))
  try {
    work(store)
  } finally {
    const aside = store.salvaged()?.aside
    store.close()
    if (aside !== undefined && existsSync(aside)) rmSync(aside)
  }
}

const bytesOf = ({ sealed, newest, ...rest }: Omit<Stray, 'n'>) => ({
  ...rest,
  sealed: sealed === null ? null : Buffer.from(sealed).toString(),
  newest: newest === null ? null : Buffer.from(newest).toString(),
})

const straysIn = (store: ConnectionStore) =>
  store
    .strayWebsites()
    .flatMap(({ website }) => store.straysOf(website))
    .toSorted((a, b) => a.n - b.n)
    .map(({ n, ...stray }) => (void n, bytesOf(stray)))

/** Counted one by one, from the edits themselves. */
function expectCounted(store: ConnectionStore): void {
  const all = store.editsFrom(0, 1000)
  const isWaiting = (edit: (typeof all)[number]) => edit.standing.state !== 'parked'
  const stuck = all.filter(({ standing }) => standing.state === 'unreadable').length
  const waiting = all.filter(isWaiting).length
  expect(store.counts()).toEqual({ waiting: waiting - stuck, parked: all.length - waiting + stuck })
  for (const kind of ['create', 'update', 'delete'] as const) {
    // The tally itself knows of no edit that can't be read.
    if (stuck === 0) {
      expect(store.waitingKinds()[kind]).toBe(all.filter((edit) => isWaiting(edit) && edit.kind === kind).length)
    }
  }
}

test('a damaged file’s history, what was applied, and requests that may still land are there as they were', () => {
  const damaged = Buffer.from(whole)
  damaged.fill(0xaa, 0, 16)
  salvaged(damaged, (store) => {
    expect(store.salvaged()).toMatchObject({ edits: edits.length - 1 })
    expect(store.pasts(0, 1000, undefined)).toEqual(pasts.toReversed())
    expect(store.countPasts(undefined)).toBe(pasts.length)
    for (const { id, became } of pasts) expect(store.wasApplied(id), id).toBe(became === 'sent')
    expect(straysIn(store)).toEqual(strays.map(bytesOf))
    expectCounted(store)
    // Numbers go on behind those that were given.
    must(store.write(() => ok(store.addPast({ ...pasts[0], id: 'latest' } as Past))))
    expect(store.pasts(0, 1, undefined)[0]?.id).toBe('latest')
  })
})

test('wherever pages are lost: what lies on others is there, and the edits that are left are counted', () => {
  const random = seeded(4)
  const isRow = (page: number) => whole[page * PAGE] === 0x0d
  const rows = [
    ...pasts.map(({ id }) => ({ id, is: (store: ConnectionStore) => store.past(id) !== null })),
    ...strays.map(({ edit }) => ({
      id: edit,
      is: (store: ConnectionStore) => straysIn(store).some((stray) => stray.edit === edit),
    })),
  ].map(({ id, is }) => ({ id, is, pages: rowPages(id).filter(isRow) }))
  const long = new Set(pasts.filter(({ before }) => (before.exclude_ips?.length ?? 0) > 1).map(({ id }) => id))
  for (let trial = 0; trial < 20; trial++) {
    const damaged = Buffer.from(whole)
    const first = random(whole.length / PAGE)
    const last = Math.min(first + random(6), whole.length / PAGE - 1)
    damaged.fill(trial % 2 === 0 ? 0 : 0xff, first * PAGE, (last + 1) * PAGE)
    salvaged(damaged, (store) => {
      for (const { id, is, pages } of rows) {
        // A long one goes on in other pages, which say nothing of its name.
        if (long.has(id) || pages.some((page) => page >= first && page <= last)) continue
        expect(is(store), `${id} of page ${String(pages)}, trial ${String(trial)}`).toBe(true)
      }
      expectCounted(store)
    })
  }
})

/** Pages that name it. */
function rowPages(id: string): number[] {
  const pages = new Set<number>()
  const mark = Buffer.from(id)
  for (let at = whole.indexOf(mark); at >= 0; at = whole.indexOf(mark, at + 1)) pages.add(Math.floor(at / PAGE))
  return [...pages]
}
