import type { Result } from '../../shared/result.ts'
import { savedViewSchema, type SavedView } from '../../shared/saved-view.ts'
import { notedList } from './noted-list.ts'
import type { Db } from './sqlite.ts'

/** Stores the saved views of a connection. */
export interface SavedViewStore {
  /** Returns the readable views. Errors: `storage`. */
  savedViews(): Result<SavedView[]>
  /** Errors: `disk-full`, `storage`, `newer-version`. */
  saveView(view: SavedView): Result<void>
  /** Errors: `disk-full`, `storage`, `newer-version`. */
  removeView(id: string): Result<void>
}

export function savedViewStore(db: Db): SavedViewStore {
  const { all, save, remove } = notedList(db, 'view', savedViewSchema)
  return { savedViews: all, saveView: save, removeView: remove }
}
