import Database from 'better-sqlite3'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkOrRestoreFile } from '../../../src/main/storage/prepare.ts'
import { openStore } from '../../../src/main/storage/store.ts'
import type { Preset } from '../../../src/shared/preset.ts'
import { codeOf, must, useFolder } from '../outbox/rig.ts'
import { fillStore, manyEdits } from './filled.ts'

const PAGE_BYTES = 4096
const at = useFolder()
const aPreset: Preset = { id: 'p-1', name: 'Client default', change: { privacy: 1 } }

function made(): void {
  fillStore(at(), manyEdits(20))
  const store = must(openStore(at()))
  must(store.savePresets(aPreset))
  store.close()
}

test('keeps presets when another part of the file is damaged', () => {
  made()
  const bytes = readFileSync(at())
  const presetPage = Math.floor(bytes.indexOf('preset_p_1') / PAGE_BYTES)
  for (let page = 1; page * PAGE_BYTES < bytes.length; page++)
    if (page !== presetPage && page % 3 === 0) bytes.fill(0xaa, page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
  writeFileSync(at(), bytes)
  must(checkOrRestoreFile({ file: at(), kind: 'connection', hadData: true }))
  const store = must(openStore(at()))
  expect(store.salvaged()).not.toBeNull()
  expect(must(store.presets())).toEqual([aPreset])
  store.close()
})

test('shows the presets of a file of a newer version, and changes none', () => {
  made()
  const db = new Database(at())
  db.pragma('user_version = 99')
  db.close()
  must(checkOrRestoreFile({ file: at(), kind: 'connection', hadData: true }))
  const store = must(openStore(at()))
  expect(must(store.presets())).toEqual([aPreset])
  expect(codeOf(store.savePresets({ ...aPreset, name: 'Another' }))).toBe('newer-version')
  expect(codeOf(store.removePreset('p-1'))).toBe('newer-version')
  store.close()
})
