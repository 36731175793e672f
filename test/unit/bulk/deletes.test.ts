import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDeletes, type Deletes } from '../../../src/main/bulk/deletes.ts'
import { fakeClock } from '../outbox/clock.ts'
import { draft, must, random, startConnection } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

let app: ReturnType<typeof startConnection>
let clock: ReturnType<typeof fakeClock>
let deletes: Deletes

beforeEach(() => {
  clock = fakeClock()
  app = startConnection({ service: new SimulatedService(), clock })
  deletes = createDeletes({ view: app.view, outbox: app.outbox, newId: random.id, pause: () => Promise.resolve() })
  const run = must(app.store.beginRun())
  const websites = Array.from({ length: 12 }, (_, n) => ({
    id: String(n + 1),
    domain: `w${String(n)}.example`,
    extra: {},
  }))
  must(app.store.savePage({ run, mark: app.store.mark(), position: 0, websites }))
})
afterEach(() => app.close())

const states = () => app.list().map(({ state }) => state)

test('each is an edit of its own, and all are taken back as one', async () => {
  const keys = app.list().map(({ key }) => key)
  const result = await deletes.delete([...keys, keys[0] ?? '', 'nobody'])
  expect(result).toMatchObject({ changed: 12, refused: [{ key: 'nobody', error: { code: 'website-gone' } }] })
  expect(new Set(states())).toEqual(new Set(['deleting']))
  expect(await deletes.undo(result.batch)).toMatchObject({ value: { changed: 12, refused: [] } })
  expect(new Set(states())).toEqual(new Set(['synced']))
  expect(app.edits()).toEqual([])
})

test('a website that was only made here just goes; one that was taken back already is named', async () => {
  const made = must(await app.outbox.create(draft('new.example')))
  const [first] = app.list().filter(({ id }) => id !== null)
  const result = await deletes.delete([made, first?.key ?? ''])
  expect(result.changed).toBe(2)
  expect(app.list().map(({ domain }) => domain)).not.toContain('new.example')
  for (const { id } of app.edits()) must(app.outbox.undo(id))
  const undone = must((await deletes.undo(result.batch)) ?? { ok: false, error: { code: 'edit-gone', message: '' } })
  expect(undone.refused.map(({ error }) => error.code)).toEqual(['edit-gone', 'edit-gone'])
})

test('only the latest is known, and it once', async () => {
  const keys = app.list().map(({ key }) => key)
  const one = await deletes.delete(keys.slice(0, 2))
  const two = await deletes.delete(keys.slice(2, 4))
  expect(await deletes.undo(one.batch)).toBeNull()
  expect(await deletes.undo(two.batch)).not.toBeNull()
  expect(await deletes.undo(two.batch)).toBeNull()
})
