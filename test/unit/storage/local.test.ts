import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLocalDataTransfer, type LocalDataTransfer } from '../../../src/main/local/local-data.ts'
import { createSavedViews } from '../../../src/main/local/saved-views.ts'
import { createTags, type Tags } from '../../../src/main/local/tags.ts'
import { createView, type View } from '../../../src/main/replica/view.ts'
import { openStore, type ConnectionStore } from '../../../src/main/storage/store.ts'
import { m } from '../../../src/messages/index.ts'
import { localDataSchema } from '../../../src/shared/local-data.ts'
import { fail, ok } from '../../../src/shared/result.ts'
import type { Filter } from '../../../src/shared/search.ts'
import { codeOf, must, useFolder } from '../outbox/rig.ts'

const DAY = 24 * 60 * 60 * 1000
const at = useFolder()
let store: ConnectionStore
let view: View
let tags: Tags
let copy: LocalDataTransfer
let made = 0

function open(): void {
  store = must(openStore(at()))
  view = createView({
    store,
    statusOf: () => ({ state: 'queued', reason: null, error: null, until: null }),
    differsFrom: () => () => undefined,
  })
  tags = createTags({ store, view })
  copy = createLocalDataTransfer({ store, savedViews: createSavedViews({ store, newId: () => `view-${made++}` }) })
}

function refresh(now: number, domains: readonly string[], firstId = 1): void {
  const run = must(store.beginRun())
  const mark = store.mark()
  const websites = domains.map((domain, n) => ({ id: String(firstId + n), domain, extra: {} }))
  must(store.savePage({ run, mark, position: 0, at: now, websites }))
  for (const { key } of store.missing(run)) must(store.removeMissing(key, mark, now))
  must(store.completeRun(run, now))
  must(store.sweepLocal(now))
}

const keyOf = (domain: string): string => store.websitesOfDomain(domain)[0]?.key ?? ''
/** Returns the tags and the note of a website as the user sees them. Leaves out what the website does not have. */
const shown = (domain: string) => {
  const { tags: names, note } = must(view.website(keyOf(domain)))
  return { tags: names, note }
}
/** Returns the domains that a filter finds, or with `not` all others. */
const found = async (filter: { name: 'tag' | 'note'; value: string }, not = false) => {
  const filters: Filter[] = [{ ...filter, not }]
  const keys = must(await view.keys({ search: '', sort_by: 'domain', sort: 'asc', filters }, 0, 100))
  return keys.map((key) => view.get(key)?.domain)
}

beforeEach(async () => {
  open()
  refresh(0, ['a.example', 'b.example', 'c.example'])
  must(tags.save({ was: null, name: ' Client A ', colour: 'red' }))
  must(tags.save({ was: null, name: 'Later', colour: 'blue' }))
  must(await tags.assign([keyOf('a.example'), keyOf('b.example')], ['client a'], []))
  must(tags.change([{ domain: 'a.example', to: { note: 'Invoice in May' } }]))
})
afterEach(() => store.close())

test('finds websites by tag and by note, and keeps both over a restart', async () => {
  store.close()
  open()
  expect(shown('a.example')).toEqual({ tags: ['Client A'], note: 'Invoice in May' })
  expect(shown('c.example')).toEqual({})
  expect(await found({ name: 'tag', value: 'CLIENT A' })).toEqual(['a.example', 'b.example'])
  expect(await found({ name: 'tag', value: 'Client A' }, true)).toEqual(['c.example'])
  expect(await found({ name: 'note', value: 'invoice' })).toEqual(['a.example'])
  expect(must(await tags.count([keyOf('a.example'), keyOf('c.example')]))).toEqual({ 'Client A': 1 })
})

test('counts the websites of a tag whose name every JavaScript object has as a property, such as “constructor”', async () => {
  must(tags.save({ was: null, name: 'constructor', colour: 'red' }))
  must(await tags.assign([keyOf('a.example')], ['constructor'], []))
  expect(must(await tags.count([keyOf('a.example')]))).toEqual({ 'Client A': 1, constructor: 1 })
})

test('a renamed tag stays on its websites, and a deleted one disappears from all', async () => {
  must(tags.save({ was: 'Client A', name: 'Client B', colour: 'green' }))
  expect(shown('b.example').tags).toEqual(['Client B'])
  must(await tags.assign([keyOf('b.example')], ['Later'], ['Client B']))
  expect(shown('b.example').tags).toEqual(['Later'])
  must(tags.remove('later'))
  expect(shown('b.example').tags).toBeUndefined()
  expect(must(tags.list())).toEqual({ tags: [{ name: 'Client B', colour: 'green' }], hasNotes: true })
})

test('undoes a change of tags, of a note, and the deletion of a tag, but keeps what was changed since', async () => {
  const all = ['a.example', 'b.example', 'c.example']
  const assigned = must(await tags.assign(all.map(keyOf), ['Later'], ['Client A']))
  const noted = must(tags.setNote('b.example', ' To do '))
  must(await tags.assign([keyOf('c.example')], ['Client A'], []))
  expect(must(tags.undo(assigned))).toBe(2)
  expect(shown('a.example')).toEqual({ tags: ['Client A'], note: 'Invoice in May' })
  expect(shown('b.example')).toEqual({ tags: ['Client A'], note: 'To do' })
  expect(shown('c.example').tags).toEqual(['Client A', 'Later'])
  must(tags.undo(noted))
  expect(shown('b.example').note).toBeUndefined()
  expect(codeOf(tags.undo(noted))).toBe('edit-gone')
  expect(must(tags.remove('Client A', true))).toBe(0)
  expect(shown('a.example').tags).toEqual(['Client A'])
  const removed = must(tags.remove('Client A'))
  must(tags.save({ was: null, name: 'Client A', colour: 'red' }))
  expect(must(tags.undo(removed))).toBe(3)
  expect(shown('a.example').tags).toEqual(['Client A'])
  const again = must(tags.remove('Client A'))
  expect(must(tags.undo(again))).toBe(4)
  expect(shown('a.example').tags).toEqual(['Client A'])
  expect(must(tags.list()).tags).toContainEqual({ name: 'Client A', colour: 'red' })
})

test('an assignment of tags that fails half-way changes no website, so that undoing the next try restores all of them', async () => {
  const domains = Array.from({ length: 150 }, (_, n) => `w${n}.example`)
  refresh(DAY, domains)
  const keys = domains.map(keyOf)
  let writes = 0
  const failing: ConnectionStore = {
    ...store,
    saveLocal: (local) => ((writes += 1) === 2 ? fail('disk-full') : store.saveLocal(local)),
  }
  const own = createTags({ store: failing, view })
  expect(codeOf(await own.assign(keys, ['Later'], []))).toBe('disk-full')
  expect(must(await own.count(keys))).toEqual({})
  const assigned = must(await own.assign(keys, ['Later'], []))
  expect(must(await own.count(keys))).toEqual({ Later: 150 })
  expect(must(own.undo(assigned))).toBe(150)
})

test('reads at most one website to find out if there are notes or local data, and to change a note', () => {
  const read: (readonly string[] | undefined)[] = []
  const counting = {
    ...store,
    localWebsites: (domains?: readonly string[]) => (read.push(domains), store.localWebsites(domains)),
  }
  const counted = createTags({ store: counting, view })
  const ownCopy = createLocalDataTransfer({
    store: counting,
    savedViews: createSavedViews({ store, newId: () => 'view' }),
  })
  expect(must(counted.list()).hasNotes).toBe(true)
  expect(ownCopy.hasAny()).toBe(true)
  const undo = must(counted.change([{ domain: 'a.example', to: { note: '' } }]))
  expect(must(counted.list()).hasNotes).toBe(false)
  expect(read).toEqual([['a.example']])
  expect(shown('a.example')).toEqual({ tags: ['Client A'] })
  must(counted.restore(undo))
  expect(shown('a.example').note).toBe('Invoice in May')
  must(counted.remove('Client A'))
  must(counted.remove('Later'))
  must(counted.change([{ domain: 'a.example', to: { note: '' } }]))
  expect(ownCopy.hasAny()).toBe(false)
  must(counted.change([{ domain: 'gone.example', to: { note: 'Kept' } }]))
  expect(ownCopy.hasAny()).toBe(true)
})

test('a saved view filters by the new name of a renamed tag, and keeps its filter by a deleted tag', () => {
  const searches = () => must(store.savedViews()).map(({ search }) => search)
  const save = (id: string, search: string) =>
    must(store.saveView({ id, name: id, search, sortBy: 'id', sort: 'asc', columns: ['tags'] }))
  save('a', 'tag:"client a" -tag:\u201cClient A\u201d tag:Later bots:counted shop')
  save('b', 'tag:client note:"Client A" "Client A"')
  must(tags.save({ was: 'Client A', name: 'B', colour: 'red' }))
  const renamed = ['tag:B -tag:B tag:Later bots:counted shop', 'tag:client note:"Client A" "Client A"']
  expect(searches()).toEqual(renamed)
  must(tags.remove('Later'))
  expect(searches()).toEqual(renamed)
})

test('counts and sets the tags of many websites in slices, so that other work is done in between', async () => {
  const domains = Array.from({ length: 1000 }, (_, n) => `w${n}.example`)
  refresh(DAY, domains)
  const keys = domains.map(keyOf)
  let turns = 0
  const timer = setInterval(() => (turns += 1), 0)
  must(await tags.assign(keys, ['Later'], []))
  const whileAssigned = turns
  expect(must(await tags.count(keys))).toEqual({ Later: 1000 })
  clearInterval(timer)
  expect(whileAssigned).toBeGreaterThan(3)
  expect(turns - whileAssigned).toBeGreaterThan(3)
})

test('refuses a tag whose name is missing, too long, taken, or would be two tags in a cell of a table, and more than a hundred tags', () => {
  const problem = (name: string) => {
    const saved = tags.save({ was: null, name, colour: 'red' })
    return saved.ok ? null : saved.error.fields?.['name']
  }
  expect(problem(' ')).toEqual([m.input_preset_name_missing()])
  for (const name of ['a, b', 'a;b', '"a"', 'n'.repeat(41)])
    expect(problem(name)).toEqual([m.input_tag_name_invalid({ limit: 40 })])
  expect(problem('LATER')).toEqual([m.input_tag_name_taken()])
  for (let n = 0; n < 98; n++) expect(problem(`t${n}`)).toBeNull()
  expect(problem('one more')).toEqual([m.input_tags_too_many({ limit: 100 })])
})

test('keeps the tags and the note of a website for 30 days after it has left the list, for a new website with its domain', () => {
  refresh(DAY, ['b.example'])
  refresh(20 * DAY, ['b.example'])
  // The website was created again, with another id.
  refresh(30 * DAY, ['b.example', 'a.example'], 10)
  expect(shown('a.example')).toEqual({ tags: ['Client A'], note: 'Invoice in May' })
  refresh(40 * DAY, ['b.example'])
  refresh(69 * DAY, ['b.example'])
  refresh(71 * DAY, ['b.example'])
  refresh(72 * DAY, ['b.example', 'a.example'], 20)
  expect(shown('a.example')).toEqual({})
  expect(shown('b.example').tags).toEqual(['Client A'])
})

test('moves the tags of a new website along when its domain is corrected', async () => {
  must(store.write(() => ok(store.addWebsite('new', 'typo.example'))))
  must(await tags.assign(['new'], ['Later'], []))
  must(store.write(() => ok(store.renameWebsite('new', 'right.example'))))
  expect(shown('right.example').tags).toEqual(['Later'])
})

/** Corrects the domain of the website with the key `new`. */
const rename = (domain: string) => must(store.write(() => ok(store.renameWebsite('new', domain))))

test('a new website whose domain is corrected to one with tags and a note has the tags and notes of both domains until the domain is corrected back', () => {
  const own = { tags: ['Client A'], note: 'Invoice in May' }
  refresh(DAY, ['b.example'])
  must(store.write(() => ok(store.addWebsite('new', 'typo.example'))))
  rename('a.example')
  expect(shown('a.example')).toEqual(own)
  rename('typo.example')
  expect(shown('typo.example')).toEqual({})
  must(tags.change([{ domain: 'typo.example', to: { tags: ['Later'], note: 'Typed' } }]))
  rename('a.example')
  expect(shown('a.example')).toEqual({ tags: ['Client A', 'Later'], note: 'Invoice in May\nTyped' })
  refresh(2 * DAY, ['b.example'])
  rename('typo.example')
  expect(shown('typo.example')).toEqual({ tags: ['Later'], note: 'Typed' })
  refresh(3 * DAY, ['b.example', 'a.example'], 10)
  expect(shown('a.example')).toEqual(own)
})

test('two long notes are both kept when a domain is corrected to one that has a note', () => {
  const [first, second] = ['a'.repeat(2000), 'b'.repeat(2000)]
  must(store.saveLocal({ websites: [{ domain: 'gone.example', tags: [], note: first }] }))
  must(store.write(() => ok(store.addWebsite('new', 'typo.example'))))
  must(store.saveLocal({ websites: [{ domain: 'typo.example', tags: [], note: second }] }))
  rename('gone.example')
  expect(shown('gone.example')).toEqual({ note: `${first}\n${second}` })
})

test('a new website keeps the note that its corrected domain had if the service stores the domain in another spelling', () => {
  refresh(DAY, ['b.example'])
  must(store.write(() => ok(store.addWebsite('new', 'typo.example'))))
  must(tags.change([{ domain: 'typo.example', to: { note: 'Typed' } }]))
  rename('a.example')
  must(store.write(() => ok(store.acknowledge('new', { id: '9', domain: 'www.a.example', extra: {} }))))
  expect(shown('www.a.example')).toEqual({ tags: ['Client A'], note: 'Invoice in May\nTyped' })
})

test('a new website keeps its tags and its note if the service stores its domain in another spelling', () => {
  must(store.write(() => ok(store.addWebsite('new', 'shop.example'))))
  must(tags.change([{ domain: 'shop.example', to: { tags: ['Later'], note: 'Kept' } }]))
  must(store.write(() => ok(store.acknowledge('new', { id: '9', domain: 'www.shop.example', extra: {} }))))
  expect(shown('www.shop.example')).toEqual({ tags: ['Later'], note: 'Kept' })
})

test('a new website whose domain is corrected takes a copy of its tags along if another website has the former domain', () => {
  // A new website gets the domain of an existing one.
  must(store.write(() => ok(store.addWebsite('new', 'a.example'))))
  must(tags.change([{ domain: 'b.example', to: { tags: ['Later'], note: 'Kept' } }]))
  must(store.write(() => ok(store.renameWebsite('new', 'b.example'))))
  expect(shown('a.example')).toEqual({ tags: ['Client A'], note: 'Invoice in May' })
  expect(shown('b.example')).toEqual({ tags: ['Client A', 'Later'], note: 'Kept' })
})

test('reads all local data as one value, and merges other local data without replacing anything', () => {
  must(store.saveView({ id: 'v', name: 'Mine', search: 'tag:later', sortBy: 'id', sort: 'asc', columns: ['tags'] }))
  const data = must(copy.read())
  expect(localDataSchema.parse(structuredClone(data))).toEqual(data)
  must(tags.change([{ domain: 'a.example', to: { note: 'Another' } }]))
  must(tags.remove('Later'))
  must(store.removeView('v'))
  // Another view gets the id of the removed one.
  must(store.saveView({ id: 'v', name: 'Yours', search: '', sortBy: 'id', sort: 'asc', columns: [] }))
  const given = {
    tags: [...data.tags, { name: 'LATER', colour: 'gray' }, { name: 'client a', colour: 'gray' }],
    views: data.views,
    websites: [...data.websites, { domain: 'x.example', tags: ['later', 'Unknown'], note: '' }],
  }
  expect(must(copy.merge(given))).toEqual({ tags: 1, views: 1, websites: 1 })
  const merged = must(copy.read())
  expect(merged.tags).toEqual(data.tags)
  expect(merged.views.map(({ name }) => name)).toEqual(['Mine', 'Yours'])
  expect(merged.websites).toEqual([
    { domain: 'a.example', tags: ['Client A'], note: 'Another' },
    { domain: 'b.example', tags: ['Client A'], note: '' },
    { domain: 'x.example', tags: ['Later'], note: '' },
  ])
  expect(must(copy.merge(given))).toEqual({ tags: 0, views: 0, websites: 0 })
})

test('refuses local data that is invalid or too much, and stores nothing of it', () => {
  const before = must(copy.read())
  const tag = (n: number) => ({ name: `t${n}`, colour: 'red' })
  const view = (n: number) => ({ id: `${n}`, name: `v${n}`, search: '', sortBy: 'id', sort: 'asc', columns: [] })
  const many = <T>(count: number, of: (n: number) => T) => Array.from({ length: count }, (_, n) => of(n))
  for (const given of [
    null,
    {},
    { ...before, tags: [{ name: 'a', colour: 'pink' }] },
    { ...before, tags: [{ name: 'a,b', colour: 'red' }] },
    { ...before, websites: [{ domain: 'a.example', tags: [], note: 'n'.repeat(20_001) }] },
    { ...before, tags: many(99, tag) },
    { ...before, tags: many(9, tag), views: many(51, view) },
  ])
    expect(codeOf(copy.merge(given))).toBe('invalid-input')
  expect(must(copy.read())).toEqual(before)
})
