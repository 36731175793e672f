import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readImport } from '../../../src/main/outbox/transfer/import-read.ts'
import { createWorkerReader } from '../../../src/main/worker.ts'
import { fail, ok } from '../../../src/shared/result.ts'
import { exported, imported, other, parsed, queueSome, useTwoApps } from './exchange.ts'
import { codeOf, draft, must } from './rig.ts'
import { app, clock, service } from './rig-app.ts'

useTwoApps()

const MANY = 600
const SCRIPT = join(import.meta.dirname, '../../../src/main/import-worker.ts')

/** Runs timers until the work, which is done in slices, has ended. */
async function inSlices<T>(work: Promise<T>): Promise<T> {
  let done = false
  void work.finally(() => (done = true))
  for (let turn = 0; turn < 100 && !done; turn++) await clock.advance(1)
  return work
}

async function longFile(): Promise<string> {
  for (let n = 0; n < MANY; n++) must(await app.outbox.create(draft(`n${String(n)}.example`)))
  return (await inSlices(exported(app))).text
}

test('imports everything of a long file in its order', async () => {
  const text = await longFile()
  expect(await imported(text, other)).toEqual({ added: MANY, skipped: 0, parked: 0, refused: [] })
  expect((await inSlices(exported(other))).text).toBe(text)
})

test('imports in one transaction: if it fails, nothing of the file is imported', async () => {
  const text = await longFile()
  let added = 0
  const { addEdit } = other.store
  other.store.addEdit = (edit) => {
    if (++added === MANY) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    return addEdit(edit)
  }
  expect(codeOf(await other.outbox.importQueue(text))).toBe('disk-full')
  other.store.addEdit = addEdit
  expect(other.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
  expect(other.list('n0.example')).toEqual([])
})

test('imports both edits of a website, however far apart they are in the file', async () => {
  await queueSome()
  const file = JSON.parse(await longFile()) as Awaited<ReturnType<typeof parsed>>
  const update = file.edits.find(({ kind }) => kind === 'update') ?? {}
  const sent = { ...update, id: 'sent', standing: { state: 'inDoubt', error: null } }
  const edits = [sent, ...file.edits.filter((edit) => edit !== update), update]
  expect(await imported(JSON.stringify({ ...file, edits }), other)).toMatchObject({ added: MANY + 4, refused: [] })
  expect(other.store.editsOf(String(update['website'])).map(({ id }) => id)).toEqual(['sent', update['id']])
})

test('holds an imported delete for ten seconds while other edits are sent', async () => {
  await queueSome()
  const file = await parsed(app)
  await app.outbox.stop()
  service.unreachable = false
  must(await other.refresh.run())
  await clock.advance(60_000)
  service.received.length = 0
  await imported(JSON.stringify(file), other)
  await clock.advance(9_000)
  expect(service.writes()).toContain('update')
  expect(service.writes()).not.toContain('delete')
  await clock.advance(60_000)
  expect(service.writes()).toContain('delete')
})

test('reads a file in a worker as in the main thread, with progress and the same errors', async () => {
  await queueSome()
  const text = await longFile()
  const progress: [number, number][] = []
  const read = await createWorkerReader(SCRIPT, 'bad-file')(text, (...counts) => progress.push(counts))
  expect(read).toEqual(readImport(text))
  expect(progress).toEqual([
    [0, MANY + 3],
    [500, MANY + 3],
  ])
  expect(await createWorkerReader(SCRIPT, 'bad-file')('{"format":', () => undefined)).toEqual(fail('bad-file'))
  expect(await createWorkerReader('/no/such/script.js', 'bad-file')(text, () => undefined)).toEqual(fail('bad-file'))
})

test('reads a file that is nested 90 levels deep, and rejects one of 5,000 levels as bad instead of throwing', async () => {
  await queueSome()
  const file = await parsed(app)
  const extra = (depth: number) =>
    `${JSON.stringify(file).slice(0, -1)},"more":${'['.repeat(depth)}${']'.repeat(depth)}}`
  expect(readImport(extra(90)).ok).toBe(true)
  expect(readImport(extra(5_000))).toEqual(fail('bad-file'))
  expect(readImport('['.repeat(1_000_000))).toEqual(fail('bad-file'))
  expect(other.store.read(() => ok(other.store.counts()))).toEqual(ok({ waiting: 0, parked: 0 }))
})
