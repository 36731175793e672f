import { MOST_REFUSED, type BulkResult } from '../../shared/bulk.ts'
import { fail, ok, type AppError, type Result } from '../../shared/result.ts'
import type { Outbox } from '../outbox/contract.ts'
import type { View } from '../replica/view.ts'

/** Deletes that are queued in a few milliseconds, each in a commit of its own. */
const SLICE = 5

/** Many websites deleted at once: each is an edit of its own, and waits its ten seconds for Undo. */
export interface Deletes {
  /** On disk when it answers; what keeps one from it is told beside it. */
  delete(keys: readonly string[]): Promise<BulkResult>
  /** Takes back those that aren't sent yet; the others are named. Null: no such batch. */
  undo(batch: string): Promise<Result<BulkResult> | null>
}

export interface DeletesPorts {
  view: Pick<View, 'get'>
  outbox: Pick<Outbox, 'delete' | 'list' | 'undo'>
  newId: () => string
  /** Gives others their turn. */
  pause: () => Promise<void>
}

export function createDeletes({ view, outbox, newId, pause }: DeletesPorts): Deletes {
  /** The latest alone: it's taken back at once, or it's sent. */
  let last: { batch: string; keys: string[] } | null = null

  async function each(
    batch: string,
    keys: readonly string[],
    work: (key: string) => Promise<Result<void>> | Result<void>,
  ): Promise<BulkResult> {
    const result: BulkResult = { batch, changed: 0, same: 0, refused: [], unknown: [] }
    const refuse = (key: string, error: AppError): void => {
      if (result.refused.length < MOST_REFUSED) result.refused.push({ key, domain: view.get(key)?.domain ?? '', error })
    }
    for (const [at, key] of [...new Set(keys)].entries()) {
      if (at > 0 && at % SLICE === 0) await pause()
      const done = await work(key)
      if (done.ok) result.changed += 1
      else refuse(key, done.error)
    }
    return result
  }

  function takeBack(key: string): Result<void> {
    const edits = outbox.list({ page: 1, per_page: 10, website: key })
    if (!edits.ok) return edits
    const removal = edits.value.edits.findLast(({ kind }) => kind === 'delete')
    // One that is on its way isn't taken back: its reverse would make a website without its statistics.
    const isHere = removal?.state === 'queued' || removal?.state === 'held'
    return isHere ? outbox.undo(removal.id) : fail('edit-gone')
  }

  return {
    async delete(keys) {
      const batch = newId()
      const deleted: string[] = []
      last = { batch, keys: deleted }
      return each(batch, keys, async (key) => {
        const done = await outbox.delete(key)
        if (done.ok) deleted.push(key)
        return done
      })
    },
    async undo(batch) {
      if (last?.batch !== batch) return null
      const { keys } = last
      last = null
      return ok(await each(batch, keys, takeBack))
    },
  }
}
