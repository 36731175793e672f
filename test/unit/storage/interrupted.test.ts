import { existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prepareFile } from '../../../src/main/storage/prepare.ts'
import { openStore } from '../../../src/main/storage/store.ts'
import { must } from '../outbox/rig.ts'
import { fillStore, manyEdits } from './filled.ts'

const edits = manyEdits(20)
let folder: string
let file: string
let damaged: Buffer

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-swap-'))
  file = join(folder, 'c.sqlite')
  fillStore(file, edits)
  damaged = readFileSync(file)
  damaged.fill(0xaa, 0, 16)
  writeFileSync(file, damaged)
  writeFileSync(`${file}-wal`, 'some log')
})

afterEach(() => rmSync(folder, { recursive: true }))

const named = (part: string) => readdirSync(folder).filter((name) => name.includes(part))

function expectSalvagedOnce(): void {
  must(prepareFile({ file, kind: 'connection', known: true }))
  const store = must(openStore(file))
  expect(edits.filter(({ id }) => store.edit(id) === null)).toEqual([])
  const { aside } = store.salvaged() ?? { aside: '' }
  store.close()
  expect(readFileSync(aside).equals(damaged)).toBe(true)
  expect(readFileSync(`${aside}-wal`, 'utf8')).toBe('some log')
  expect(named('.damaged-').filter((name) => !name.endsWith('-wal'))).toHaveLength(1)
  expect(named('.salvag')).toEqual([])
}

test('a salvage that ended while it was writing begins anew', () => {
  writeFileSync(`${file}.salvaging`, 'half of it')
  writeFileSync(`${file}.salvaging-journal`, 'its journal')
  expectSalvagedOnce()
})

/** As it was the moment the new file got its name, with so many of the steps behind that made. */
test.each([0, 1, 2])('a salvage that ended with %i of its files put aside is brought to its end', (steps) => {
  must(prepareFile({ file, kind: 'connection', known: true }))
  const aside = join(folder, named('.damaged-').find((name) => !name.endsWith('-wal')) ?? '')
  renameSync(file, aside.replace('.damaged-', '.salvaged-'))
  if (steps < 1) renameSync(aside, file)
  if (steps < 2) renameSync(`${aside}-wal`, `${file}-wal`)
  expect(existsSync(file)).toBe(steps < 1)
  expectSalvagedOnce()
})
