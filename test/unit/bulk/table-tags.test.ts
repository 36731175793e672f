import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readTable, type ReadTable } from '../../../src/main/bulk/table/read-table.ts'
import { bulkHandlers } from '../../../src/main/ipc/bulk.ts'
import { tableHandlers, type TablePorts } from '../../../src/main/ipc/table.ts'
import { createTags, type Tags } from '../../../src/main/local/tags.ts'
import { formatListFile } from '../../../src/main/replica/list-file.ts'
import { createWorkerReader } from '../../../src/main/worker.ts'
import { baseLocale, m, overwriteGetLocale } from '../../../src/messages/index.ts'
import { setFormatLocale } from '../../../src/shared/display/format.ts'
import { problemText } from '../../../src/renderer/features/bulk/problem-text.ts'
import { fail, ok } from '../../../src/shared/result.ts'
import { codeOf, draft, must } from '../outbox/rig.ts'
import { useBulk } from './rig.ts'

const rig = useBulk()
let tags: Tags
let table: string
let handlers: ReturnType<typeof tableHandlers> & Pick<ReturnType<typeof bulkHandlers>, 'undoBulk'>

function begin(): void {
  const { store, view, bulk } = rig.app
  tags = createTags({ store, view })
  const connection = { view, bulk, tags, presets: { list: () => ok([]) } }
  const connections = { active: () => connection } as unknown as TablePorts['connections']
  handlers = {
    ...tableHandlers({
      connections,
      files: { openTable: () => Promise.resolve(ok(Buffer.from(table))) },
      readTable: (bytes) => Promise.resolve(readTable(bytes)),
      onProgress: () => undefined,
    }),
    undoBulk: bulkHandlers(
      connections as Parameters<typeof bulkHandlers>[0],
      () => undefined,
      () => undefined,
    ).undoBulk,
  }
}

beforeEach(() => {
  begin()
  must(tags.save({ was: null, name: 'Client A', colour: 'red' }))
  must(
    tags.change([
      { domain: 'w0.example', to: { tags: ['Client A'], note: 'First line\n=second' } },
      { domain: 'w1.example', to: { note: '(none)' } },
    ]),
  )
})

/** Opens the text as a table. Returns the number of changes of each kind that an import would make. */
async function open(text: string) {
  table = text
  return must(await handlers.openTable(undefined))
}
const shown = (domain: string) => {
  const { tags: names = [], note = '', email } = rig.app.view.get(rig.app.keyOf(domain)) ?? expect.fail('it is gone')
  return { tags: names, note, email }
}
const problems = async () => must(await handlers.listTable({ group: 'problems', page: 1 })).problems

async function exported(includeLocal = true): Promise<string> {
  const query = { search: '', filters: [], sort_by: 'domain' as const, sort: 'asc' as const }
  const file = must(
    await formatListFile(rig.app.view, { format: 'csv', query, chosen: { all: true, keys: [] }, includeLocal }),
  )
  return file?.pieces.join('') ?? ''
}

test('an exported table has the tags and notes, and changes nothing when it is imported', async () => {
  const text = await exported()
  expect(text.split('\r\n')[0]).toMatch(/,tags,note$/)
  expect(await open(text)).toMatchObject({ changes: 0, additions: 0, problems: 0, ignored: [] })
  expect(await exported(false)).not.toContain('tags')
})

test('an exported note that was joined from those of two domains, and is longer than the user can type, is imported again', async () => {
  const joined = `${'a'.repeat(1500)}\n${'b'.repeat(1500)}`
  must(tags.change([{ domain: 'w0.example', to: { note: joined } }]))
  const text = await exported()
  expect(await open(text)).toMatchObject({ changes: 0, problems: 0 })
  must(tags.change([{ domain: 'w0.example', to: { note: '' } }]))
  await open(text)
  must(await handlers.applyTable(undefined))
  expect(shown('w0.example').note).toBe(joined)
})

test('imports tags and notes with the settings, and undoes all as one', async () => {
  const before = ['w0.example', 'w1.example', 'w2.example'].map(shown)
  await open(`domain,email,tags,note
w0.example,on,"client a; New one",
w1.example,,,(none)
w2.example,,new one,To do
w3.example,on,,
n.example,,client a,
`)
  expect(must(await handlers.listTable({ group: 'changes', page: 1 })).changes[0]).toMatchObject({
    to: { email: true },
    local: { from: { tags: ['Client A'] }, to: { tags: ['client a', 'New one'] } },
  })
  const { bulkChange, ...counts } = must(await handlers.applyTable(undefined))
  expect(counts).toMatchObject({ changed: 2, local: 2, created: 1, refused: [] })
  expect(must(tags.list()).tags.map(({ name }) => name)).toEqual(['Client A', 'New one'])
  expect(shown('w0.example')).toEqual({ tags: ['Client A', 'New one'], note: 'First line\n=second', email: true })
  expect(shown('w1.example').note).toBe('')
  expect(shown('w2.example')).toMatchObject({ tags: ['New one'], note: 'To do' })
  expect(shown('n.example').tags).toEqual(['Client A'])
  // Tags and notes are local, so only the three websites with other changes are sent.
  expect(rig.app.edits()).toHaveLength(3)
  must(tags.change([{ domain: 'w2.example', to: { note: 'Done' } }]))
  must(await handlers.undoBulk({ bulkChange }))
  expect(['w0.example', 'w1.example'].map(shown)).toEqual(before.slice(0, 2))
  expect(shown('w2.example')).toMatchObject({ tags: [], note: 'Done' })
  expect(must(tags.list()).tags.map(({ name }) => name)).toEqual(['Client A'])
  expect(rig.app.edits()).toEqual([])
})

test('undoes tags and notes after a restart, and keeps a tag of the table that another website has been given since', async () => {
  const before = ['w0.example', 'w1.example'].map(shown)
  await open('domain,email,tags,note\nw0.example,on,New one,(none)\nw1.example,on,"New one, Other",Now\n')
  const { bulkChange } = must(await handlers.applyTable(undefined))
  must(await tags.assign([rig.app.keyOf('w2.example')], ['Other'], []))
  await rig.restart()
  begin()
  expect(rig.app.outcome.state()).toMatchObject({ id: bulkChange, canUndo: true })
  must(await handlers.undoBulk({ bulkChange }))
  expect(['w0.example', 'w1.example'].map(shown)).toEqual(before)
  expect(shown('w2.example').tags).toEqual(['Other'])
  expect(must(tags.list()).tags.map(({ name }) => name)).toEqual(['Client A', 'Other'])
})

test('stores no tags and notes of a row that is refused', async () => {
  await open(`domain,email,tags,note
w0.example,on,New one,Now
w1.example,on,Later,
w2.example,,Later,
n.example,,New one,To do
`)
  must(await rig.app.outbox.delete(rig.app.keyOf('w0.example')))
  must(await rig.app.outbox.create(draft('n.example')))
  const { bulkChange, ...counts } = must(await handlers.applyTable(undefined))
  expect(counts).toEqual({ changed: 1, local: 1, created: 0, refused: [expect.anything(), expect.anything()] })
  expect(shown('w0.example')).toMatchObject({ tags: ['Client A'], note: 'First line\n=second' })
  expect(shown('n.example')).toMatchObject({ tags: [], note: '' })
  expect(must(tags.list()).tags.map(({ name }) => name)).toEqual(['Client A', 'Later'])
  expect(must(await handlers.undoBulk({ bulkChange }))).toMatchObject({ changed: 1, local: 1 })
  expect(shown('w1.example')).toMatchObject({ tags: [], note: '(none)' })
})

test('a table can change tags only, which sends nothing', async () => {
  await open('domain,tags\nw0.example,(none)\nw1.example,Later\n')
  const { bulkChange, ...counts } = must(await handlers.applyTable(undefined))
  expect(counts).toMatchObject({ changed: 0, local: 2 })
  expect(rig.app.edits()).toEqual([])
  expect(must(await handlers.undoBulk({ bulkChange }))).toMatchObject({ changed: 0, local: 2, refused: [] })
  expect(shown('w0.example').tags).toEqual(['Client A'])
  expect(shown('w1.example').tags).toEqual([])
})

test('the undo of a table can be repeated, also under Pending, if its tags could not be restored', async () => {
  await open('domain,email,tags\nw0.example,on,Later\nw1.example,,Later\n')
  const { bulkChange } = must(await handlers.applyTable(undefined))
  vi.spyOn(tags, 'restore').mockReturnValueOnce(fail('disk-full'))
  expect(codeOf(await handlers.undoBulk({ bulkChange }))).toBe('disk-full')
  expect(shown('w0.example')).toMatchObject({ tags: ['Later'], email: false })
  await rig.clock.advance(1_000)
  expect(rig.app.outcome.state()).toMatchObject({ id: bulkChange, notSent: 1, canUndo: true, left: 'again' })
  must(await handlers.undoBulk({ bulkChange }))
  expect(rig.app.outcome.state()).toBeNull()
  expect(shown('w0.example').tags).toEqual(['Client A'])
  expect(shown('w1.example').tags).toEqual([])
  expect(codeOf(await handlers.undoBulk({ bulkChange }))).toBe('edit-gone')
})

describe('the tags and notes of new websites that were sent', () => {
  /** Imports a table with two new websites, sends it, and undoes the import. The undo asks about the new websites. */
  const applied = async () => {
    const before = shown('w0.example')
    await open('domain,email,tags,note\nw0.example,on,New one,Now\nn.example,,New one,\nWWW.N2.example,,,To do\n')
    const { bulkChange } = must(await handlers.applyTable(undefined))
    await rig.app.online()
    const undone = must(await handlers.undoBulk({ bulkChange }))
    expect(undone).toMatchObject({ changed: 1, local: 0, sent: { count: 2 } })
    expect(shown('w0.example')).toEqual(before)
    expect(shown('n.example').tags).toEqual(['New one'])
    return bulkChange
  }
  const tagNames = () => must(tags.list()).tags.map(({ name }) => name)

  test('stay if the user keeps the websites', async () => {
    const bulkChange = await applied()
    expect(must(await handlers.undoBulk({ bulkChange, agreed: false }))).toMatchObject({ changed: 0, local: 0 })
    expect(shown('n.example').tags).toEqual(['New one'])
    expect(shown('n2.example').note).toBe('To do')
    expect(tagNames()).toEqual(['Client A', 'New one'])
  })

  test('are undone with the websites, even after a restart', async () => {
    const bulkChange = await applied()
    await rig.restart()
    begin()
    expect(must(await handlers.undoBulk({ bulkChange, agreed: true }))).toMatchObject({ changed: 2, local: 0 })
    expect(tagNames()).toEqual(['Client A'])
  })
})

test('the undo of an import keeps the tags of an existing website that was used instead of a new one', async () => {
  rig.service.add('n.example')
  await open('domain,email,tags\nw0.example,on,New one\nn.example,,New one\n')
  const { bulkChange } = must(await handlers.applyTable(undefined))
  await rig.app.online()
  const parked = rig.app.edits()[0] ?? expect.fail('it is not parked')
  must(await rig.app.outbox.resolve(parked.id, { way: 'adopt' }))
  await rig.app.online()
  expect(must(await handlers.undoBulk({ bulkChange }))).toMatchObject({
    changed: 1,
    refused: [{ domain: 'n.example' }],
  })
  expect(shown('n.example').tags).toEqual(['New one'])
  expect(shown('w0.example').tags).toEqual(['Client A'])
})

test('undoes the tags of each import on its own, even if a later import has changed tags', async () => {
  await open('domain,email,tags\nw0.example,on,A\nw1.example,on,A\n')
  const first = must(await handlers.applyTable(undefined)).bulkChange
  await open('domain,tags\nw2.example,B\n')
  const second = must(await handlers.applyTable(undefined)).bulkChange
  const shownTags = () => ['w0.example', 'w1.example', 'w2.example'].map((domain) => shown(domain).tags)
  must(await handlers.undoBulk({ bulkChange: first }))
  expect(shownTags()).toEqual([['Client A'], [], ['B']])
  must(await handlers.undoBulk({ bulkChange: second }))
  expect(shownTags()).toEqual([['Client A'], [], []])
  expect(codeOf(await handlers.undoBulk({ bulkChange: second }))).toBe('edit-gone')
})

test('after a restart, the tags of an import with changed settings can be undone, but not those of a later import of tags alone', async () => {
  await open('domain,email,tags\nw0.example,on,A\nw1.example,on,A\n')
  const first = must(await handlers.applyTable(undefined)).bulkChange
  await open('domain,tags\nw2.example,B\n')
  const second = must(await handlers.applyTable(undefined)).bulkChange
  await rig.restart()
  begin()
  must(await handlers.undoBulk({ bulkChange: first }))
  expect(['w0.example', 'w1.example'].map((domain) => shown(domain).tags)).toEqual([['Client A'], []])
  expect(codeOf(await handlers.undoBulk({ bulkChange: second }))).toBe('edit-gone')
  expect(shown('w2.example').tags).toEqual(['B'])
})

test('keeps the undo of the tags of the last 20 imports', async () => {
  const ids: string[] = []
  for (let n = 0; n < 21; n++) {
    await open(`domain,note\nw${n % 2}.example,Note ${n}\n`)
    ids.push(must(await handlers.applyTable(undefined)).bulkChange)
  }
  const undone = []
  for (const bulkChange of ids) undone.push((await handlers.undoBulk({ bulkChange })).ok)
  expect(undone).toEqual([false, ...Array.from({ length: 20 }, () => true)])
})

test('one changed setting and several tags are one bulk change, whose undo takes back both', async () => {
  await open('domain,email,tags\nw0.example,on,\nw1.example,,Later\nw2.example,,Later\n')
  const { bulkChange } = must(await handlers.applyTable(undefined))
  expect(rig.app.outcome.state()).toMatchObject({ id: bulkChange, websites: 1, canUndo: true })
  must(await handlers.undoBulk({ bulkChange }))
  expect(['w0.example', 'w1.example'].map(shown)).toMatchObject([{ email: false }, { tags: [] }])
  await open('domain,email\nw0.example,on\n')
  must(await handlers.applyTable(undefined))
  expect(rig.app.outcome.state()).toBeNull()
})

test('the undo of an older table counts each new website once', async () => {
  await open('domain,tags\nn1.example,Later\nn2.example,Later\n')
  const { bulkChange } = must(await handlers.applyTable(undefined))
  await rig.app.bulk.apply([rig.app.keyOf('w0.example'), rig.app.keyOf('w1.example')], { email: true })
  expect(must(await handlers.undoBulk({ bulkChange }))).toMatchObject({ changed: 2, local: 0 })
})

test('undoes the tags and notes of an import while the app runs, even if what their undo needs could not be stored', async () => {
  const before = shown('w0.example')
  rig.app.store.saveBulkUndo = () => fail('disk-full')
  await open('domain,email,tags\nw0.example,on,Later\n')
  const { bulkChange } = must(await handlers.applyTable(undefined))
  expect(must(await handlers.undoBulk({ bulkChange }))).toMatchObject({ changed: 1, local: 0 })
  expect(shown('w0.example')).toEqual(before)
})

test('names each tag or note that is not valid, and imports the others', async () => {
  const tooMany = Array.from({ length: 101 }, (_, n) => `t${n}`).join(';')
  await open(`domain;tags;note
w0.example;${'n'.repeat(41)};
w1.example;"${tooMany}";
w2.example;ok;${'n'.repeat(20_001)}
`)
  expect((await problems()).map(({ column, kind }) => [column, kind])).toEqual([
    ['tags', 'tag'],
    ['tags', 'tags'],
    ['note', 'note'],
  ])
  expect(must(await handlers.applyTable(undefined))).toMatchObject({ changed: 0, local: 1 })
  expect(shown('w2.example')).toMatchObject({ tags: ['ok'], note: '' })
})

test('the problems that the worker reports are shown in the language of the window', async () => {
  const script = join(import.meta.dirname, '../../../src/main/table-worker.ts')
  const worker: ReadTable = createWorkerReader(script, 'not-a-table')
  const tooMany = Array.from({ length: 101 }, (_, n) => `t${n}`).join()
  const text = `domain;tags;note\na.example;${'n'.repeat(41)};${'n'.repeat(20_001)}\nb.example;${tooMany};\n`
  const { rows } = must(await worker(Buffer.from(text), () => undefined))
  const found = rows.flatMap(({ row, domain, problems }) => problems.map((one) => ({ ...one, row, domain })))
  onTestFinished(() => {
    overwriteGetLocale(() => baseLocale)
    setFormatLocale(() => baseLocale)
  })
  overwriteGetLocale(() => 'de')
  setFormatLocale(() => 'de')
  const texts = found.map(problemText)
  const german = { locale: 'de' } as const
  expect(texts).toEqual([
    m.table_problem_tag({ limit: 40 }, german),
    m.input_note_too_long({ limit: '20.000' }, german),
    m.input_tags_too_many({ limit: 100 }, german),
  ])
})

/** Returns the cell of a table with `count` tags: `t<from>` and the following numbers. */
const names = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `t${from + n}`).join(';')

test('names the tag cells that exceed the limit of tags, imports the other cells, and adds no website with such a cell', async () => {
  await open(`domain,email,tags,note
w0.example,on,${names(60)},
w1.example,on,${names(60, 60)},To do
w2.example,on,"client a; t1; t60",
n.example,on,${names(60, 200)},
`)
  expect(await problems()).toMatchObject([
    { row: 3, column: 'tags', value: names(60, 60).replaceAll(';', ', '), kind: 'tags' },
    { row: 5, column: 'tags', kind: 'tags' },
  ])
  expect(must(await handlers.applyTable(undefined))).toMatchObject({ changed: 3, created: 0 })
  expect(shown('w0.example').tags).toHaveLength(60)
  expect(shown('w1.example')).toEqual({ tags: [], note: 'To do', email: true })
  expect(shown('w2.example').tags).toEqual(['Client A', 't1', 't60'])
})

test('stores nothing if the tags of the table and those made since the comparison are too many together', async () => {
  await open(`domain,email,tags\nw0.example,on,${names(60)}\n`)
  must(tags.change([{ domain: 'w3.example', to: { tags: names(60, 60).split(';') } }]))
  expect(codeOf(await handlers.applyTable(undefined))).toBe('invalid-input')
  expect(shown('w0.example')).toMatchObject({ tags: ['Client A'], email: false })
  expect(rig.app.edits()).toEqual([])
})
