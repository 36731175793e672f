import { MOST_REFUSED, type BulkCreated, type BulkResult } from '../../shared/bulk.ts'
import type { EditView } from '../../shared/edit.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { WebsiteDraft } from '../../shared/website.ts'
import type { Outbox } from '../outbox/contract.ts'
import type { View } from '../replica/view.ts'

/** Websites that are made in a few milliseconds, each in a commit of its own. */
const SLICE = 5

/** Many new websites at once: each is an edit of its own, and goes its own way (sync.md). */
export interface Creates {
  /** On disk when it answers; what keeps one from it is told beside its row, which counts from 0. */
  create(drafts: readonly WebsiteDraft[]): Promise<BulkCreated>
  /** Takes back those that aren't sent yet; the others are named (`edit-gone`). Null: no such batch. */
  undo(batch: string): Promise<Result<BulkResult> | null>
}

export interface CreatesPorts {
  view: Pick<View, 'get'>
  outbox: Pick<Outbox, 'create' | 'list' | 'undo' | 'discard'>
  newId: () => string
  /** Gives others their turn. */
  pause: () => Promise<void>
}

export function createCreates({ view, outbox, newId, pause }: CreatesPorts): Creates {
  /** The latest alone: it's taken back at once, or it's sent. */
  let last: { batch: string; keys: string[] } | null = null

  /** Every so many, others have their turn. */
  async function turn(at: number): Promise<void> {
    if (at > 0 && at % SLICE === 0) await pause()
  }

  /** What is on its way isn't: its reverse would delete a website. */
  function takeBack({ id, state }: EditView): Result<void> {
    if (state === 'queued' || state === 'held') return outbox.undo(id)
    return state === 'parked' ? outbox.discard(id) : fail('edit-gone')
  }

  return {
    async create(drafts) {
      const batch = newId()
      const keys: string[] = []
      last = { batch, keys }
      const created: BulkCreated = { batch, created: 0, refused: [] }
      for (const [row, draft] of drafts.entries()) {
        await turn(row)
        const made = await outbox.create(draft)
        if (made.ok) created.created = keys.push(made.value)
        else if (created.refused.length < MOST_REFUSED) created.refused.push({ row, error: made.error })
      }
      return created
    },
    async undo(batch) {
      if (last?.batch !== batch) return null
      const { keys } = last
      last = null
      const result: BulkResult = { batch, changed: 0, same: 0, refused: [], unknown: [] }
      for (const [at, key] of keys.entries()) {
        await turn(at)
        const domain = view.get(key)?.domain ?? ''
        const listed = outbox.list({ page: 1, per_page: 10, website: key })
        const create = listed.ok ? listed.value.edits.find(({ kind }) => kind === 'create') : undefined
        const undone = create === undefined ? fail('edit-gone') : takeBack(create)
        if (undone.ok) result.changed += 1
        else if (result.refused.length < MOST_REFUSED) result.refused.push({ key, domain, error: undone.error })
      }
      return ok(result)
    },
  }
}
