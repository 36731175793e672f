import Database from 'better-sqlite3'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeClock, settled, type FakeClock } from './clock.ts'
import { codeOf, draft, must, startConnection } from './rig.ts'
import { SimulatedService } from './simulated-service.ts'

let folder: string
let file: string
let service: SimulatedService
let clock: FakeClock
let app: ReturnType<typeof startConnection>

/** A file with an edit that waits, which a newer version has written to since. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-'))
  file = join(folder, 'connection.sqlite')
  service = new SimulatedService()
  service.add('there.example', { email: false })
  clock = fakeClock()
  app = startConnection({ service, clock, file })
  must(await app.refresh.run())
  service.unreachable = true
  app.reach.hint(false)
  await settled()
  must(await app.outbox.update(app.keyOf('there.example'), { email: true }))
  await app.close()
  const db = new Database(file)
  db.pragma('user_version = 99')
  db.close()
  service.unreachable = false
  service.asked.length = 0
  app = startConnection({ service, clock, file })
})

afterEach(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

test('a file of a newer version is shown and exported; nothing of it is sent, and nothing in it is changed', async () => {
  const before = readFileSync(file)
  await clock.advance(30 * 60_000)
  const key = app.keyOf('there.example')
  expect(app.edits()).toMatchObject([{ domain: 'there.example', settings: { email: true } }])
  const id = app.edits()[0]?.id ?? ''
  for (const refused of [
    await app.outbox.create(draft('new.example')),
    await app.outbox.update(key, { privacy: 0 }),
    await app.outbox.delete(key),
    app.outbox.undo(id),
    app.outbox.discard(id),
    app.outbox.sendNow(id),
    await app.outbox.revert('any', 'undo', undefined),
  ]) {
    expect(codeOf(refused)).toBe('newer-version')
  }
  const { text, edits } = must(await app.outbox.exportQueue())
  expect(edits).toBe(1)
  expect(codeOf(await app.outbox.importQueue(text))).toBe('newer-version')
  must(app.outbox.sendNow())
  await clock.advance(30 * 60_000)
  expect(service.asked).toEqual([])
  expect(readFileSync(file)).toEqual(before)
})
