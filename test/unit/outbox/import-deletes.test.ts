import { expect, test } from 'vitest'
import { must } from './rig.ts'
import { app, clock, service, useApp } from './rig-app.ts'

const WEBSITES = 130

useApp(() => {
  for (let n = 0; n < WEBSITES; n++) service.add(`site-${String(n)}.example`)
})

/** Resolves what is done in slices. */
async function sliced<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  void work.finally(() => (isDone = true))
  while (!isDone) await clock.advance(0)
  return work
}

/** An export of changes of all websites, the first of them a delete; nothing of it waits any more. */
async function exported(): Promise<string> {
  await app.offline()
  must(await app.outbox.delete(app.keyOf('site-0.example')))
  for (let n = 1; n < WEBSITES; n++)
    must(await app.outbox.update(app.keyOf(`site-${String(n)}.example`), { email: true }))
  const { text } = must(await sliced(app.outbox.exportQueue()))
  for (let left = app.edits(); left.length > 0; left = app.edits()) for (const { id } of left) must(app.outbox.undo(id))
  await app.online(60_000)
  service.asked.length = 0
  return text
}

test('a delete of a long import waits its ten seconds, though what else waits is sent meanwhile', async () => {
  const text = await exported()
  const importing = app.outbox.importQueue(text)
  // Something outside has it look at what waits, after each slice.
  const { unstage } = app.store
  app.store.unstage = (count) => {
    unstage(count)
    clock.soon(() => app.outbox.wake())
  }
  must(await sliced(importing))
  await clock.advance(9_000)
  expect(service.writes()).toContain('update')
  expect(service.writes()).not.toContain('delete')
  await clock.advance(120_000)
  expect(service.writes()).toContain('delete')
})
