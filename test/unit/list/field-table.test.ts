import { expect, expectTypeOf, test, vi } from 'vitest'
import { changesFor } from '../../../src/main/bulk/changes.ts'
import { formatListFile } from '../../../src/main/replica/list-file.ts'
import { readFields, websiteFieldReaders } from '../../../src/main/service/fields.ts'
import { buildCreateForm, buildUpdateForm } from '../../../src/main/service/requests.ts'
import { draftFromCells } from '../../../src/renderer/features/bulk/drafts.ts'
import { columnsOf, parsePastedTable } from '../../../src/renderer/features/bulk/rows.ts'
import { bulkUpdateSchema } from '../../../src/shared/bulk.ts'
import { createDefaults, type FieldName } from '../../../src/shared/fields.ts'
import type { FieldComponents } from '../../../src/renderer/features/editor/parts.ts'
import { columnNames } from '../../../src/shared/list-settings.ts'
import { filterSchema } from '../../../src/shared/website.ts'
import { createFilterTest } from '../../../src/main/replica/filter.ts'
import { validateUpdate } from '../../../src/main/sample/validation.ts'
import { sampleDefaults, type SampleWebsite } from '../../../src/main/sample/website.ts'
import type { WebsiteChanges, WebsiteRecord, WebsiteView } from '../../../src/shared/website.ts'
import { must } from '../outbox/rig.ts'
import { app, clock, record, service, existingKey, useApp } from '../outbox/rig-app.ts'

// Adds two made-up fields to the field table, and nowhere else.
vi.mock('../../../src/shared/field-table.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../src/shared/field-table.ts')>()
  return {
    ...original,
    fieldTable: {
      ...original.fieldTable,
      pinned: {
        kind: 'switch',
        column: 'pinned',
        default: true,
        filter: { name: 'pinned', values: ['on', 'off'] },
        columns: [],
      },
      tags: { kind: 'list', column: 'tags', default: [], columns: [] },
    },
  }
})

const shown = (): WebsiteView => app.list()[0] ?? expect.fail('it is gone')
/** Casts fields to a type that does not know the made-up ones. */
const made = <T>(fields: object): T => fields as T

useApp(() => service.add('there.example', made<Partial<WebsiteRecord>>({ pinned: false, tags: ['one'] })))

test('a create and an update send a field that is declared only in the field table', () => {
  const draft = { ...createDefaults, domain: 'b.example', ...made<object>({ tags: ['one', 'two'] }) }
  expect(buildCreateForm(draft)).toEqual(
    expect.arrayContaining([
      ['pinned', '1'],
      ['tags', 'one\ntwo'],
    ]),
  )
  expect(buildUpdateForm(made<WebsiteChanges>({ pinned: false }))).toEqual([['pinned', '0']])
})

test('reads a switch and a list that are declared only in the field table', () => {
  const { fields, extra } = readFields({ pinned: '1', tags: 'one\ntwo' }, websiteFieldReaders, (text) => text)
  expect(fields).toEqual({ pinned: true, tags: ['one', 'two'] })
  expect(extra).toEqual({})
})

test('sends a change of a field that is declared only in the field table to the service, and shows it before and after a refresh', async () => {
  must(await app.outbox.update(existingKey(), made<WebsiteChanges>({ pinned: true, tags: ['one', 'two'] })))
  expect(shown()).toMatchObject({ pinned: true, tags: ['one', 'two'] })
  await clock.advance(3_000)
  expect(service.updates()).toEqual([{ pinned: true, tags: ['one', 'two'] }])
  await clock.advance(30_000)
  service.touch(record(), made<Partial<WebsiteRecord>>({ tags: ['three'] }))
  must(await app.refresh.run())
  expect(shown()).toMatchObject({ pinned: true, tags: ['three'] })
})

test('a bulk change changes a field that is declared only in the field table', () => {
  const change = bulkUpdateSchema.parse({ pinned: true, tags: { how: 'edit', add: ['two'], remove: ['one'] } })
  expect(changesFor(shown(), change)).toEqual({ ok: true, value: { pinned: true, tags: ['two'] } })
})

test('exports a field that is declared only in the field table, and “Add multiple” reads it from the file', async () => {
  const query = { search: '', filters: [], sort_by: 'domain', sort: 'asc' } as const
  const file = must(
    await formatListFile(app.view, {
      format: 'csv',
      query: { ...query, filters: [] },
      chosen: { all: true, keys: [] },
    }),
  )
  const table = parsePastedTable(file?.pieces.join('').replace('\uFEFF', '') ?? '')
  const { draft } = draftFromCells(table.cells[0] ?? [], columnsOf(table))
  expect(draft).toMatchObject({ domain: 'there.example', pinned: false, tags: ['one'] })
})

test('the list has a column for a field that is declared only in the field table, and a filter if the field is a switch', () => {
  expect(columnNames).toEqual(expect.arrayContaining(['pinned', 'tags']))
  const filter = filterSchema.parse({ name: 'pinned', value: 'off', not: false })
  const fits = createFilterTest([filter], () => () => undefined)
  expect([true, false].map((pinned) => fits({ ...shown(), ...made<object>({ pinned }) }))).toEqual([false, true])
})

test('the sample service accepts a field that is declared only in the field table', () => {
  const form = new URLSearchParams({ pinned: '0', tags: 'one' })
  expect(validateUpdate(form, made<SampleWebsite>(sampleDefaults))).toEqual({ values: { pinned: 0, tags: 'one' } })
  expect(validateUpdate(new URLSearchParams({ pinned: '2' }), made<SampleWebsite>(sampleDefaults))).toHaveProperty(
    'errors',
  )
})

test('an editor that lacks a field of the field table does not compile', () => {
  type Part = FieldComponents['domain']
  expectTypeOf<Record<Exclude<FieldName, 'exclude_params'>, Part>>().not.toExtend<FieldComponents>()
  expectTypeOf<keyof FieldComponents>().toEqualTypeOf<FieldName>()
})
