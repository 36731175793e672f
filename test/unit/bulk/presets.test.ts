import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBulk } from '../../../src/main/bulk/bulk.ts'
import { compareWithPreset, createPresets, type Presets } from '../../../src/main/bulk/presets.ts'
import { createView, type View } from '../../../src/main/replica/view.ts'
import { MAX_PRESETS } from '../../../src/shared/fields.ts'
import type { Preset } from '../../../src/shared/preset.ts'
import { fail } from '../../../src/shared/result.ts'
import type { Filter } from '../../../src/shared/search.ts'
import { fakeClock, type FakeClock } from '../outbox/clock.ts'
import { codeOf, must, startConnection, useFolder } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'
import { portsOf } from './rig.ts'

const at = useFolder()
let clock: FakeClock
let service: SimulatedService
let app: ReturnType<typeof startConnection>
let presets: Presets
let view: View

function open(): void {
  clock = fakeClock()
  app = startConnection({ service, clock, file: at() })
  presets = app.presets
  view = app.view
}

beforeEach(async () => {
  service = new SimulatedService()
  service.add('a.example', { privacy: 1, exclude_ips: ['10.0.0.1'], exclude_params: ['ref'] })
  service.add('b.example', { privacy: 0, exclude_ips: ['10.0.0.2', '10.0.0.1'], exclude_params: [] })
  service.add('c.example', { privacy: 1, exclude_ips: [] })
  open()
  must(await app.refresh.run())
})
afterEach(() => app.close())

const save = (name: string, change: object, id: string | null = null) => presets.save({ id, name, change })
const names = () => must(presets.list()).map(({ name }) => name)

/** Returns the domains that the filter `differs:` finds, or with `not` the filter `-differs:`. */
async function differing(name: string, not = false): Promise<string[]> {
  const filters: Filter[] = [{ name: 'differs', value: name, not }]
  const keys = must(await view.keys({ search: '', sort_by: 'domain', sort: 'asc', filters }, 0, 100))
  return keys.map((key) => view.get(key)?.domain ?? '')
}
const compare = (id: string, page = 1) => {
  return compareWithPreset({ presets, view, bulk: createBulk(portsOf(app)) }, id, page)
}

test('stores, renames and changes presets, and keeps them over a restart', async () => {
  const one = must(save('  Client default ', { privacy: 1, exclude_bots: true }))
  must(save('10 strict', { privacy: 2 }))
  must(save('9 strict', { email: false }))
  must(save('Client standard', { privacy: 0 }, one.id))
  await app.close()
  open()
  expect(must(presets.list())).toMatchObject([
    { name: '9 strict', change: { email: false } },
    { name: '10 strict', change: { privacy: 2 } },
    { id: one.id, name: 'Client standard', change: { privacy: 0 } },
  ])
  must(presets.remove(one.id))
  expect(names()).toEqual(['9 strict', '10 strict'])
  expect(codeOf(save('x', { privacy: 0 }, one.id))).toBe('preset-gone')
})

test('requires a unique name regardless of case, and at least one value', () => {
  must(save('Client default', { privacy: 1 }))
  const fieldsOf = (...args: Parameters<typeof save>) => {
    const saved = save(...args)
    return saved.ok ? {} : saved.error.fields
  }
  expect(fieldsOf('CLIENT default', { privacy: 1 })).toEqual({ name: ['A preset with this name already exists.'] })
  expect(fieldsOf(' ', {})).toEqual({ name: ['Enter a name.'], change: ['Choose at least one setting.'] })
  for (const name of ['say "so"', 'two\nlines', 'x'.repeat(61)])
    expect(fieldsOf(name, { privacy: 1 })).toHaveProperty('name')
  const lines = Array.from({ length: 9000 }, () => 'x'.repeat(20))
  expect(fieldsOf('long', { exclude_ips: { how: 'set', lines } })).toHaveProperty('exclude_ips')
  expect(names()).toEqual(['Client default'])
})

test('has at most one preset for new websites', async () => {
  const one = must(presets.save({ id: null, name: 'one', change: { privacy: 1 }, forNew: true }))
  const two = must(presets.save({ id: null, name: 'two', change: { privacy: 0 }, forNew: true }))
  expect(must(presets.list()).map(({ forNew }) => forNew)).toEqual([undefined, true])
  await app.close()
  open()
  expect(must(presets.list())).toMatchObject([
    { id: one.id, change: { privacy: 1 } },
    { id: two.id, forNew: true },
  ])
  // A rejected name leaves the presets as they are.
  expect(codeOf(presets.save({ ...one, name: 'two', forNew: true }))).toBe('invalid-input')
  expect(must(presets.list()).map(({ forNew }) => forNew)).toEqual([undefined, true])
})

test('saves the new preset for new websites and the former one in one transaction', () => {
  must(presets.save({ id: null, name: 'one', change: { privacy: 1 }, forNew: true }))
  const saved: string[][] = []
  const store = {
    ...app.store,
    presets: () => presets.list(),
    savePresets: (...given: Preset[]) => (saved.push(given.map(({ name }) => name)), fail('disk-full')),
    removePreset: presets.remove,
  }
  const refused = createPresets({ store, newId: () => 'two' })
  expect(codeOf(refused.save({ id: null, name: 'two', change: { privacy: 0 }, forNew: true }))).toBe('disk-full')
  expect(saved).toEqual([['one', 'two']])
})

test('the search of a saved view gets the new name of a renamed preset, or neither is stored', () => {
  const { id } = must(save('Standard', { privacy: 1 }))
  const search = 'differs:"standard" -differs:Standard differs:Other tag:Standard'
  const view = { id: 'v', name: 'v', search, sortBy: 'id', sort: 'asc', columns: [] } as const
  must(app.store.saveView({ ...view, columns: [] }))
  const { store } = app
  const refusing = createPresets({ store: { ...store, saveView: () => fail('disk-full') }, newId: () => 'new' })
  expect(codeOf(refusing.save({ id, name: 'Our own', change: { privacy: 1 } }))).toBe('disk-full')
  expect(names()).toEqual(['Standard'])
  must(save('Our own', { privacy: 1 }, id))
  const [renamed] = must(store.savedViews())
  expect(renamed?.search).toBe('differs:"Our own" -differs:"Our own" differs:Other tag:Standard')
})

test('refuses a preset beyond the limit, but still saves a change of an existing one', () => {
  for (let n = 0; n < MAX_PRESETS; n++) must(save(`p${n}`, { email: true }))
  expect(codeOf(save('one more', { email: true }))).toBe('invalid-input')
  const [first] = must(presets.list())
  must(save('another name', { email: true }, first?.id))
})

test('filters the list by difference from a preset, with lists as sets and with pending edits', async () => {
  must(save('Client default', { privacy: 1, exclude_ips: { how: 'edit', add: ['10.0.0.1'], remove: [] } }))
  expect(await differing('client DEFAULT')).toEqual(['b.example', 'c.example'])
  expect(await differing('Client default', true)).toEqual(['a.example'])
  await app.offline()
  must(await app.outbox.update(app.keyOf('b.example'), { privacy: 1 }))
  expect(await differing('Client default')).toEqual(['c.example'])
  must(save('The two', { exclude_ips: { how: 'set', lines: ['10.0.0.1', '10.0.0.2'] } }))
  expect(await differing('The two', true)).toEqual(['b.example'])
  // A website that is being deleted does not count, because it can't be changed.
  must(await app.outbox.delete(app.keyOf('c.example')))
  expect(await differing('Client default')).toEqual([])
  expect(await differing('Client default', true)).toEqual(['a.example', 'b.example'])
})

test('a field that the service hides matches a preset neither as equal nor as different; an unknown preset matches no website', async () => {
  must(save('Without ref', { exclude_params: { how: 'set', lines: [] } }))
  expect(await differing('Without ref')).toEqual(['a.example'])
  expect(await differing('Without ref', true)).toEqual(['b.example'])
  must(save('Both', { privacy: 0, exclude_params: { how: 'set', lines: [] } }))
  expect(await differing('Both')).toEqual(['a.example', 'c.example'])
  expect(await differing('nobody')).toEqual([])
  expect(await differing('nobody', true)).toEqual([])
})

test('a search by a changed preset uses the new values at once, even if the same search was made before', async () => {
  const { id } = must(save('Client default', { privacy: 1 }))
  expect(await differing('Client default')).toEqual(['b.example'])
  must(save('Client default', { privacy: 0 }, id))
  expect(await differing('Client default')).toEqual(['a.example', 'c.example'])
})

test('lists the websites that differ from a preset page by page, with each difference', async () => {
  const { id } = must(save('Client default', { privacy: 1, exclude_params: { how: 'set', lines: ['ref'] } }))
  expect(must(await compare(id))).toMatchObject({
    total: 3,
    differing: 1,
    unknown: 1,
    rows: [
      { domain: 'b.example', from: { privacy: 0, exclude_params: [] }, to: { privacy: 1, exclude_params: ['ref'] } },
    ],
    pages: 1,
  })
  for (let n = 0; n < 120; n++) service.add(`more-${n}.example`, { privacy: 0 })
  must(await app.refresh.run())
  const last = must(await compare(id, 99))
  expect([last.differing, last.pages, last.rows.length]).toEqual([121, 3, 21])
  expect(codeOf(await compare('nobody'))).toBe('preset-gone')
})

test('keeps the other presets if one cannot be read', async () => {
  must(save('first', { privacy: 1 }))
  const { id } = must(save('second', { privacy: 1 }))
  await app.close()
  const { default: Database } = await import('better-sqlite3')
  const db = new Database(at())
  db.prepare("UPDATE meta SET value = '{' WHERE name = ?").run(`preset_${id.replaceAll('-', '_')}`)
  db.close()
  open()
  expect(names()).toEqual(['first'])
})

test('stores no password in a preset', () => {
  const change = { privacy: 2, password: 's3cret-of-a-website' } as object
  const saved = save('With a password', change)
  for (const file of [at(), `${at()}-journal`])
    expect(readFileSync(file, 'latin1')).not.toContain('s3cret-of-a-website')
  expect(JSON.stringify(saved)).not.toContain('s3cret-of-a-website')
})

test('reads each website once for a comparison, and counts those with write-only fields', async () => {
  const { id } = must(save('Without ref', { exclude_params: { how: 'set', lines: [] } }))
  const looked: string[] = []
  const facts: typeof app.store.facts = (key) => (looked.push(key), app.store.facts(key))
  const store = { ...app.store, facts }
  const counting = createView({ store, statusOf: app.outbox.statusOf, differsFrom: presets.differsFrom })
  const compared = must(await compareWithPreset({ presets, view: counting, bulk: createBulk(portsOf(app)) }, id, 1))
  expect(compared).toMatchObject({ total: 3, differing: 1, unknown: 1 })
  expect(looked).toHaveLength(3)
})
