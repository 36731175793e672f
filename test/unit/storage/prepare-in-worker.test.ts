import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkOrRestoreInWorker } from '../../../src/main/storage/prepare.ts'
import { openStore } from '../../../src/main/storage/store.ts'
import { databaseFolder } from '../../database-folder.ts'
import { codeOf, must } from '../outbox/rig.ts'

const SCRIPT = join(import.meta.dirname, '../../../src/main/storage/prepare-worker.ts')
/** A damaged file that is so large that a worker checks it. */
const LARGE = 'no database at all'.repeat(50_000)
let folder: string
let file: string

beforeEach(() => {
  folder = databaseFolder('siteward-worker-')
  file = join(folder, 'c.db')
})

afterEach(() => rmSync(folder, { recursive: true }))

const prepare = (script = SCRIPT) => checkOrRestoreInWorker(script, { file, kind: 'connection', hadData: true })
/** This script does not exist, so no worker can start with it. */
const noScript = () => join(folder, 'no-such-script.js')

test('restores a large damaged file in a worker', async () => {
  writeFileSync(file, LARGE)
  must(await prepare())
  const store = must(openStore(file))
  expect(store.salvaged()).not.toBeNull()
  // A worker leaves a file alone that this process has open.
  expect(codeOf(await prepare())).toBe('in-use')
  store.close()
})

test('reports an error when the worker can’t start', async () => {
  writeFileSync(file, LARGE)
  expect(codeOf(await prepare(noScript()))).toBe('storage')
})

test('checks a small file without a worker', async () => {
  writeFileSync(file, 'no database at all'.repeat(500))
  must(await prepare(noScript()))
  const store = must(openStore(file))
  expect(store.salvaged()).not.toBeNull()
  store.close()
})
