import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { backupsOf } from '../../../src/main/storage/backup.ts'
import { scheduleBackups } from '../../../src/main/storage/backup-schedule.ts'
import { checkOrRestoreFile } from '../../../src/main/storage/prepare.ts'
import { eraseStore, openStore } from '../../../src/main/storage/store.ts'
import { ok } from '../../../src/shared/result.ts'
import { fakeClock, MINUTE, type FakeClock } from '../outbox/clock.ts'
import { must } from '../outbox/rig.ts'
import { damageTable } from './damage-table.ts'
import { anEdit } from './filled.ts'
import { file, folder, record, reopen, store, useStore, write } from './rig.ts'

useStore()

const names = () => backupsOf(file).map((path) => path.slice(file.length))

/** Stores the website `<id>.example`, which exists on the service, with one edit. */
function addEdit(id: string, more: Parameters<typeof anEdit>[2] = {}): void {
  write(() => {
    store.addWebsite(`k-${id}`, `${id}.example`)
    store.acknowledge(`k-${id}`, record(`of-${id}`, `${id}.example`))
    store.addEdit(anEdit(id, `k-${id}`, more))
  })
}

function destroyed(): void {
  reopen(() => {
    writeFileSync(file, 'no database at all'.repeat(1000))
    must(checkOrRestoreFile({ file, kind: 'connection', hadData: true }))
  })
}

describe('a backup is made', () => {
  let clock: FakeClock
  let made: number
  let stop: () => void

  beforeEach(() => {
    clock = fakeClock()
    made = 0
    let listener: (added: number) => void = () => undefined
    stop = scheduleBackups(
      {
        onWrite: (given) => void (listener = given),
        backUp: () => Promise.resolve(ok(void (made += 1))),
      },
      clock,
    )
    onAdded = (added) => listener(added)
  })
  let onAdded: (added: number) => void

  test('after 50 edits, once nothing has been written for a moment', async () => {
    for (let n = 0; n < 49; n++) onAdded(1)
    await clock.advance(1_000)
    expect(made).toBe(0)
    onAdded(1)
    for (let n = 0; n < 10; n++) {
      onAdded(0)
      await clock.advance(100)
    }
    expect(made).toBe(0)
    await clock.advance(1_000)
    expect(made).toBe(1)
    await clock.advance(60 * MINUTE)
    expect(made).toBe(1)
  })

  test('one minute after the first write of a run, and ten minutes after the first write since the last backup', async () => {
    onAdded(0)
    await clock.advance(MINUTE - 1_000)
    expect(made).toBe(0)
    await clock.advance(2_000)
    expect(made).toBe(1)
    onAdded(0)
    await clock.advance(9 * MINUTE)
    onAdded(1)
    expect(made).toBe(1)
    await clock.advance(MINUTE + 1_000)
    expect(made).toBe(2)
    onAdded(1)
    await clock.advance(11 * MINUTE)
    expect(made).toBe(3)
  })

  test('never after backups were stopped', async () => {
    for (let n = 0; n < 60; n++) onAdded(1)
    stop()
    onAdded(1)
    await clock.advance(60 * MINUTE)
    expect(made).toBe(0)
  })
})

test('tags, notes, presets, views and what a refresh has changed are backed up without any edit', async () => {
  const clock = fakeClock()
  const run = must(store.beginRun())
  const page = (privacy: 0 | 1) => ({ run, mark: store.mark(), position: 0, websites: [{ ...record('1'), privacy }] })
  for (const save of [
    () => store.savePage(page(1)),
    () => store.savePage(page(0)),
    () =>
      store.removeMissing(store.websites({ search: '', sort_by: 'id', sort: 'asc' }, 0, 1)[0]?.key ?? '', store.mark()),
    () => store.saveLocal({ tags: [{ name: 'Client A', colour: 'red' }] }),
    () => store.savePresets({ id: 'p', name: 'Mine', change: { privacy: 1 } }),
    () => store.saveView({ id: 'v', name: 'Mine', search: 'tag:later', sortBy: 'id', sort: 'asc', columns: ['tags'] }),
    () => store.removePreset('p'),
    () => store.removeView('v'),
  ]) {
    let made = 0
    const backUp = () => Promise.resolve(ok(void (made += 1)))
    const stop = scheduleBackups({ onWrite: store.onWrite, backUp }, clock)
    must<unknown>(save())
    await clock.advance(11 * MINUTE)
    expect(made).toBe(1)
    stop()
  }
})

test('no backup is made if nothing was written to the file, such as by a start without interrupted edits', async () => {
  const clock = fakeClock()
  let made = 0
  const stop = scheduleBackups({ onWrite: store.onWrite, backUp: () => Promise.resolve(ok(void (made += 1))) }, clock)
  write(() => store.markInterruptedInDoubt())
  await clock.advance(11 * MINUTE)
  expect(made).toBe(0)
  stop()
})

test('the files of two accounts are backed up one after the other', async () => {
  const clock = fakeClock()
  const begun: string[] = []
  const finish: Record<string, () => void> = {}
  const stops = ['a', 'b', 'c'].map((id) =>
    scheduleBackups(
      {
        onWrite: (listener) => void clock.after(0, () => void listener(0)),
        backUp() {
          begun.push(id)
          return new Promise((resolve) => (finish[id] = () => void resolve(ok(undefined))))
        },
      },
      clock,
    ),
  )
  await clock.advance(2 * MINUTE)
  expect(begun).toEqual(['a'])
  // The backup of an account is left out if the account was removed or closed before its turn.
  stops[1]?.()
  finish['a']?.()
  await clock.advance(MINUTE)
  expect(begun).toEqual(['a', 'c'])
  finish['c']?.()
  stops[0]?.()
  stops[2]?.()
})

test('keeps two backups that no other user can read, and restores the newest', async () => {
  for (const id of ['a', 'b', 'c']) {
    addEdit(id)
    must(await store.backUp())
  }
  expect(names()).toEqual(['.backup-3', '.backup-2'])
  if (process.platform !== 'win32') for (const path of backupsOf(file)) expect(statSync(path).mode & 0o777).toBe(0o600)
  addEdit('after')
  destroyed()
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(['a', 'b', 'c', 'after'].map((id) => store.edit(id)?.standing.state)).toEqual([
    ...['inDoubt', 'inDoubt', 'inDoubt'],
    undefined,
  ])
  const note = store.salvaged()
  expect(note).toMatchObject({ why: 'damaged', websites: 3, edits: 3 })
  expect(note?.backupAt).toBeCloseTo(statSync(backupsOf(file)[0] ?? '').mtimeMs)
  expect(readFileSync(note?.quarantined ?? '', 'utf8')).toContain('no database')
})

test('a backup is not disturbed by writes while it is made', async () => {
  for (let n = 0; n < 400; n++)
    addEdit(`e${String(n)}`, { settings: { exclude_ips: Array<string>(200).fill('10.0.0.1') } })
  const making = store.backUp()
  addEdit('meanwhile')
  must(await making)
  destroyed()
  expect(store.salvaged()).toMatchObject({ edits: 401 })
})

test('uses the earlier backup if the newest is damaged', async () => {
  addEdit('a')
  must(await store.backUp())
  addEdit('b')
  must(await store.backUp())
  writeFileSync(backupsOf(file)[0] ?? '', 'no backup')
  destroyed()
  expect(['a', 'b'].map((id) => store.edit(id) !== null)).toEqual([true, false])
})

test('tags and notes are restored from the newest backup of an earlier run if all backups of this run have the damage too', async () => {
  const websites = Array.from({ length: 200 }, (_, n) => ({
    domain: `${n}.example`,
    tags: [],
    note: 'long '.repeat(50),
  }))
  must(store.saveLocal({ websites }))
  write(() => store.addWebsite('k', 'new.example'))
  must(await store.backUp())
  must(await store.backUp())
  reopen(() => damageTable(file, 'meta'))
  for (const id of ['a', 'b', 'c']) {
    write(() => store.addEdit(anEdit(id, 'k')))
    must(await store.backUp())
  }
  expect(names()).toEqual(['.backup-5', '.backup-2'])
  reopen(() => must(checkOrRestoreFile({ file, kind: 'connection', hadData: true })))
  expect(must(store.localWebsites())).toHaveLength(200)
  expect(store.edit('c')).not.toBeNull()
  // The disk may damage the file again. Therefore the next backups replace the damaged backup, and keep the good one.
  for (let n = 0; n < 2; n++) must(await store.backUp())
  expect(names()).toEqual(['.backup-4', '.backup-2'])
})

test('keeps the earlier backup, and no partial one, when a backup fails', async () => {
  addEdit('a')
  must(await store.backUp())
  const making = store.backUp()
  store.close()
  expect((await making).ok).toBe(false)
  expect(
    readdirSync(folder)
      .filter((name) => name.startsWith('connection.db'))
      .toSorted(),
  ).toEqual(['connection.db', 'connection.db.backup-1'])
  reopen()
})

test('a start removes the copy that a backup has left when the app was killed, because the copy may have sealed passwords', () => {
  for (const copy of ['.backing-up', '.backing-up-journal', '.backup-1.reading']) writeFileSync(file + copy, 'sealed')
  const left = () => readdirSync(folder).filter((name) => /backing|reading/.test(name))
  reopen(() => must(checkOrRestoreFile({ file, kind: 'connection', hadData: true })))
  expect(left()).toEqual([])
  writeFileSync(`${file}.backing-up`, 'sealed')
  destroyed()
  expect(left()).toEqual([])
})

test('a backup has no sealed password, so a restored edit has lost its password', async () => {
  const canary = Buffer.from('canary-sealed-bytes-0123456789')
  addEdit('secret', { sealed: canary })
  write(() =>
    store.addLateWrite({
      ...{ edit: 'x', website: 'k-secret', domain: 'secret.example', kind: 'update', settings: {}, sent: null },
      ...{ sealed: canary, newest: canary, expected: {}, updated_at: null },
    }),
  )
  must(await store.backUp())
  expect(readFileSync(file).includes(canary)).toBe(true)
  expect(readFileSync(backupsOf(file)[0] ?? '').includes(canary)).toBe(false)
  destroyed()
  expect(store.edit('secret')?.sealed).toHaveLength(0)
  expect(store.lateWriteWebsites()).toEqual([])
})

test('a restore takes the edits that are readable in the damaged file, with their passwords, and puts in doubt an edit that only the backup has', async () => {
  addEdit('changed')
  addEdit('sent')
  must(await store.backUp())
  write(() => {
    const changed = store.edit('changed')
    if (changed) store.saveEdit({ ...changed, settings: { privacy: 0 }, sealed: Buffer.from('sealed') })
    store.removeEdit('sent')
  })
  addEdit('added')
  reopen(() => {
    // Another application id in the header makes the file count as damaged.
    const bytes = readFileSync(file)
    bytes.fill(7, 68, 72)
    writeFileSync(file, bytes)
    must(checkOrRestoreFile({ file, kind: 'connection', hadData: true }))
  })
  expect(store.edit('changed')).toMatchObject({ standing: { state: 'queued' }, settings: { privacy: 0 } })
  expect(Buffer.from(store.edit('changed')?.sealed ?? []).toString()).toBe('sealed')
  expect(store.edit('added')).toMatchObject({ standing: { state: 'queued' }, website: 'k-added' })
  expect(store.website('k-added')).toMatchObject({ id: 'of-added' })
  expect(store.edit('sent')).toMatchObject({ standing: { state: 'inDoubt' }, sent: { doubted: true, restored: true } })
  // The list does not count as complete until it is read again.
  expect(store.completeAt()).toBeNull()
})

test('after a damaged file is restored, a website created since the backup keeps its id and is not created again', async () => {
  write(() => {
    store.addWebsite('k', 'new.example')
    store.addEdit(anEdit('create', 'k', { kind: 'create' }))
  })
  must(await store.backUp())
  write(() => {
    store.acknowledge('k', record('9', 'new.example'))
    store.removeEdit('create')
    store.addEdit(anEdit('behind', 'k'))
  })
  reopen(() => {
    const bytes = readFileSync(file)
    bytes.fill(7, 68, 72)
    writeFileSync(file, bytes)
    must(checkOrRestoreFile({ file, kind: 'connection', hadData: true }))
  })
  expect(store.website('k')).toMatchObject({ id: '9' })
  expect(store.editsOf('k').map(({ id }) => id)).toEqual(['behind'])
})

test('removes backups and quarantined files with their connection', async () => {
  addEdit('a')
  must(await store.backUp())
  destroyed()
  const all = () => readdirSync(folder).filter((name) => name.startsWith('connection.db'))
  expect(all().length).toBeGreaterThan(2)
  store.close()
  must(eraseStore(file))
  expect(all()).toEqual([])
  must(openStore(file)).close()
  reopen()
})
