import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readTable } from '../../../src/main/bulk/table/read-table.ts'
import { tableHandlers, type TablePorts } from '../../../src/main/ipc/table.ts'
import { readUserTable } from '../../../src/main/shell/user-file.ts'
import type { Preset } from '../../../src/shared/preset.ts'
import { fail, ok } from '../../../src/shared/result.ts'
import type { TableResult } from '../../../src/shared/table.ts'
import { MAX_TABLE_FILE } from '../../../src/shared/table-columns.ts'
import { aWebsite, viewOf } from '../bulk/table-rig.ts'
import { codeOf, must } from '../outbox/rig.ts'

const websites = Array.from({ length: 120 }, (_, n) => aWebsite(n))
const result: TableResult = { bulkChange: 'b', changed: 120, local: 0, created: 0, refused: [] }

let folder: string
let path: string | null
let applied: unknown[]
let active: ReturnType<typeof connection>
let presets: Preset[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-table-'))
  path = join(folder, 'list.csv')
  writeFileSync(path, `id,email\n${websites.map(({ id }) => `${id},on`).join('\n')}\n999,on`)
  applied = []
  presets = []
  active = connection('a')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The result that a connection returns when a table is applied. */
let answer = ok(result) as ReturnType<typeof ok<TableResult>> | ReturnType<typeof fail>
/** The undo of an import that changed no tags and notes. */
const undo = { before: [], after: [], made: [] }
/** Returns a connection that adds each applied table to `applied`. */
const connection = (id: string) => ({
  ...{
    id,
    view: viewOf(websites),
    tags: {
      list: () => ok({ tags: [], hasNotes: false }),
      change: () => ok(undo),
      restore: () => ok(0),
    },
    presets: { list: () => ok(presets) },
  },
  bulk: { applyTable: (table: unknown) => Promise.resolve((applied.push([id, table]), answer)) },
})

function open() {
  const progress: { done: number; total: number }[] = []
  const handlers = tableHandlers({
    connections: { active: () => active } as unknown as TablePorts['connections'],
    files: { openTable: async () => (path === null ? null : readUserTable(path)) },
    readTable: (bytes, onProgress) => Promise.resolve(readTable(bytes, onProgress)),
    onProgress: (one) => progress.push(one),
  })
  return { handlers, progress }
}

test('says whether a table turns on the email reports of an existing or a new website', async () => {
  const { handlers } = open()
  const reports = async (table: string) => {
    writeFileSync(path ?? '', table)
    return must(await handlers.openTable(undefined))?.turnsOnReports
  }
  expect(await reports('domain,email\nsite-0.example,on')).toBe(true)
  expect(await reports('domain,email\nnew.example,on')).toBe(true)
  expect(await reports('domain,email,bots\nsite-0.example,off,off\nnew.example,off,on')).toBe(false)
})

test('shows the changes of an opened table page by page, queues none before the user applies the table, and applies the table once', async () => {
  const { handlers, progress } = open()
  expect(must(await handlers.openTable(undefined))).toMatchObject({ rows: 121, changes: 120, problems: 1 })
  expect(progress.map(({ total }) => total)).toEqual([242, 242])
  const pages = [1, 2, 3].map(async (page) => must(await handlers.listTable({ group: 'changes', page })))
  expect((await Promise.all(pages)).map(({ changes, pages }) => [changes.length, pages])).toEqual([
    [50, 3],
    [50, 3],
    [20, 3],
  ])
  expect(must(await handlers.listTable({ group: 'problems', page: 1 }))).toMatchObject({ changes: [], pages: 1 })
  expect(applied).toEqual([])
  expect(must(await handlers.applyTable(undefined))).toEqual(result)
  expect(codeOf(await handlers.applyTable(undefined))).toBe('edit-gone')
  expect(applied).toHaveLength(1)
})

test('a new website starts with the preset for new websites, except for the filled cells of its row', async () => {
  const exclude_ips = { how: 'edit' as const, add: ['10.0.0.1'], remove: [] }
  presets = [
    { id: 'p1', name: 'Other', change: { exclude_bots: false } },
    { id: 'p2', name: 'Client default', change: { privacy: 0, email: true, exclude_ips }, forNew: true },
  ]
  writeFileSync(path ?? '', 'domain,email\nnew.example,\nquiet.example,off\nsite-1.example,\n')
  const { handlers } = open()
  expect(must(await handlers.openTable(undefined))).toMatchObject({ additions: 2, same: 1, changes: 0 })
  const { additions } = must(await handlers.listTable({ group: 'additions', page: 1 }))
  const started = { privacy: 0, exclude_bots: true, exclude_ips: ['10.0.0.1'], exclude_params: [] }
  expect(additions.map(({ draft }) => draft)).toEqual([
    { ...started, domain: 'new.example', email: true },
    { ...started, domain: 'quiet.example', email: false },
  ])
})

test('a new website needs another privacy than “Password”, even if only the preset for new websites has it', async () => {
  presets = [{ id: 'p', name: 'Protected', change: { privacy: 2 }, forNew: true }]
  writeFileSync(path ?? '', 'domain,privacy\nnew.example,\nopen.example,public\n')
  const { handlers } = open()
  expect(must(await handlers.openTable(undefined))).toMatchObject({ additions: 1, problems: 1 })
  const { problems } = must(await handlers.listTable({ group: 'problems', page: 1 }))
  expect(problems).toMatchObject([{ row: 2, domain: 'new.example', kind: 'password', column: 'privacy' }])
})

test('keeps the opened table if it can’t be applied, so that it can be applied again', async () => {
  const { handlers } = open()
  must(await handlers.openTable(undefined))
  answer = fail('disk-full')
  expect(codeOf(await handlers.applyTable(undefined))).toBe('disk-full')
  answer = ok(result)
  must(await handlers.listTable({ group: 'changes', page: 1 }))
  must(await handlers.applyTable(undefined))
})

test('never applies a table to another connection than the one it was compared with', async () => {
  const { handlers } = open()
  must(await handlers.openTable(undefined))
  active = connection('b')
  expect(codeOf(await handlers.applyTable(undefined))).toBe('no-connection')
  expect(applied).toEqual([])
})

test('keeps the table if the user cancels the choice of another file', async () => {
  const { handlers } = open()
  must(await handlers.openTable(undefined))
  path = null
  expect(must(await handlers.openTable(undefined))).toBeNull()
  must(await handlers.listTable({ group: 'changes', page: 1 }))
  expect(must(await handlers.applyTable(undefined))).toEqual(result)
})

test('forgets a table that was closed, and opens none if the user cancels or the file is too large', async () => {
  const { handlers } = open()
  must(await handlers.openTable(undefined))
  must(await handlers.closeTable(undefined))
  expect(codeOf(await handlers.applyTable(undefined))).toBe('edit-gone')
  truncateSync(path ?? '', MAX_TABLE_FILE + 1)
  expect(codeOf(await handlers.openTable(undefined))).toBe('table-too-large')
  path = null
  expect(must(await handlers.openTable(undefined))).toBeNull()
})

test('compares the opened table again with the list as it is by then', async () => {
  const { handlers } = open()
  expect(codeOf(await handlers.compareTable(undefined))).toBe('edit-gone')
  active.view = viewOf(websites.slice(0, 20))
  expect(must(await handlers.openTable(undefined))).toMatchObject({ changes: 20, problems: 101 })
  active.view = viewOf(websites)
  expect(must(await handlers.compareTable(undefined))).toMatchObject({ changes: 120, problems: 1 })
  expect(must(await handlers.listTable({ group: 'problems', page: 1 })).problems).toHaveLength(1)
  active = connection('b')
  expect(codeOf(await handlers.compareTable(undefined))).toBe('no-connection')
})
