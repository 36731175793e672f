import Database from 'better-sqlite3'
import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { codeOf, draft, must } from './rig.ts'
import { app, clock, file, service, start, useApp } from './rig-app.ts'

useApp(() => service.add('there.example', { email: false }), { onDisk: true })

/** A newer version has written to the file, which has a pending edit. */
beforeEach(async () => {
  await app.offline()
  must(await app.outbox.update(app.keyOf('there.example'), { email: true }))
  await app.close()
  const db = new Database(file())
  db.pragma('user_version = 99')
  db.close()
  service.unreachable = false
  service.received.length = 0
  start()
})

test('shows and exports the edits in a database of a newer version, sends none of them, and changes nothing in the file', async () => {
  const before = readFileSync(file())
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
  expect(service.received).toEqual([])
  expect(readFileSync(file())).toEqual(before)
})
