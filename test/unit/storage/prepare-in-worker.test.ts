import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prepareAside, prepareInWorker } from '../../../src/main/storage/prepare-in-worker.ts'
import { openStore } from '../../../src/main/storage/store.ts'
import { codeOf, must } from '../outbox/rig.ts'

const SCRIPT = join(import.meta.dirname, '../../../src/main/storage/prepare-worker.ts')
let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-worker-'))
  file = join(folder, 'c.sqlite')
})

afterEach(() => rmSync(folder, { recursive: true }))

const prepare = (script = SCRIPT) => prepareInWorker(script, { file, kind: 'connection', known: true })

test('a damaged file is ready to be opened when the thread has ended', async () => {
  writeFileSync(file, 'no database at all'.repeat(500))
  must(await prepare())
  const store = must(openStore(file))
  expect(store.salvaged()).not.toBeNull()
  // What this process itself has open isn't touched by its threads either.
  expect(codeOf(await prepare())).toBe('in-use')
  store.close()
})

test('a thread that can’t even start is an error, not a file that is fine', async () => {
  writeFileSync(file, 'no database at all'.repeat(500))
  expect(codeOf(await prepare(join(folder, 'no-such-script.js')))).toBe('storage')
})

test('a small file needs no thread; a large one is left to one', async () => {
  const request = { file, kind: 'connection', known: true } as const
  writeFileSync(file, 'no database at all'.repeat(500))
  must(await prepareAside(join(folder, 'no-such-script.js'), request))
  const store = must(openStore(file))
  expect(store.salvaged()).not.toBeNull()
  store.close()
  writeFileSync(file, 'no database at all'.repeat(50_000))
  expect(codeOf(await prepareAside(join(folder, 'no-such-script.js'), request))).toBe('storage')
  must(await prepareAside(SCRIPT, request))
})
