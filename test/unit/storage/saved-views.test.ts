import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSavedViews, type SavedViews } from '../../../src/main/local/saved-views.ts'
import { openStore, type ConnectionStore } from '../../../src/main/storage/store.ts'
import { m } from '../../../src/messages/index.ts'
import type { SavedView } from '../../../src/shared/saved-view.ts'
import { must, useFolder } from '../outbox/rig.ts'

const at = useFolder()
const arrangement: Omit<SavedView, 'id' | 'name'> = {
  search: 'bots:counted',
  sortBy: 'id',
  sort: 'asc',
  columns: ['id'],
}
let store: ConnectionStore
let views: SavedViews
let made = 0
const newId = () => `view-${made++}`
function open(): void {
  store = must(openStore(at()))
  views = createSavedViews({ store, newId })
}
beforeEach(open)
afterEach(() => store.close())

const save = (name: string, id: string | null = null) => views.save({ ...arrangement, id, name })
/** Returns the errors of a view's name. Null if the view was saved. */
const problemOf = (saved: ReturnType<typeof save>) => (saved.ok ? null : saved.error.fields?.['name'])

test('stores, renames and removes views, and keeps them over a restart', () => {
  const one = must(save(' B '))
  must(save('A'))
  must(save('C', one.id))
  store.close()
  open()
  expect(must(views.list())).toMatchObject([{ name: 'A' }, { ...arrangement, id: one.id, name: 'C' }])
  must(views.remove(one.id))
  expect(must(views.list())).toMatchObject([{ name: 'A' }])
  // An undo of the removal saves the view again.
  must(views.save(one))
  expect(must(views.list())).toHaveLength(2)
})

test('refuses a name that is missing, too long, or taken, and more than fifty views', () => {
  for (let n = 0; n < 50; n++) must(save(`View ${n}`))
  expect(problemOf(save(''))).toEqual([m.input_preset_name_missing()])
  expect(problemOf(save('n'.repeat(61)))).toEqual([m.input_preset_name_invalid({ limit: 60 })])
  expect(problemOf(save('view 7'))).toEqual([m.input_view_name_taken()])
  expect(problemOf(save('Another'))).toEqual([m.input_views_too_many({ limit: 50 })])
})
