import type { Imported } from '../../shared/edit.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { storySchema, takeStories, type Story } from './import-story.ts'
import type { OutboxStore } from './ports.ts'

/** Rows that are checked, looked for here, and put on disk in a few milliseconds. */
export const SLICE = 100
/** Websites whose edits are checked, looked for and added in a few milliseconds. */
const TAKEN = 25

/** What an import works with: `pause` gives others their turn. */
export interface Importing {
  store: OutboxStore
  newKey: () => string
  pause: () => Promise<void>
  /** Told the ids of deletes in the very turn in which they're queued: each waits its ten seconds. */
  onDeletes: (ids: readonly string[]) => void
}

/**
 * An import that is too long for one transaction: its websites are put aside slice by slice, where nobody sees them; with
 * the last one they count as taken, and slice by slice they become edits. What ends in the middle is dropped by the next
 * start before that moment, and finished after it ({@link recoverStaged}).
 *
 *     nothing ---> put aside ---> whole ---> nothing
 *        ^-------------'
 *
 * Errors: `disk-full`, `storage`; then nothing of it is there.
 */
export async function stage({ store, pause }: Importing, stories: readonly Story[]): Promise<Result<void>> {
  for (let from = 0; from < stories.length; from += SLICE) {
    if (from > 0) await pause()
    const slice = stories.slice(from, from + SLICE).map((story) => JSON.stringify(story))
    const isLast = from + SLICE >= stories.length
    const staged = store.write(() => ok(store.stage(slice, isLast)))
    if (staged.ok) continue
    await dropStaged({ store, pause })
    return staged
  }
  return ok(undefined)
}

/** Makes edits of what is staged. Errors: `disk-full`, `storage`; then the rest is taken by the next start. */
export async function finishStaged({ store, newKey, pause, onDeletes }: Importing): Promise<Result<Imported>> {
  const all: Imported = { added: 0, skipped: 0, parked: 0, refused: [] }
  for (; ; await pause()) {
    const moved = store.write(() => {
      const staged = store.staged(TAKEN)
      const taken = takeStories(store, newKey, staged.flatMap(read))
      store.unstage(staged.length)
      return ok({ taken, isLast: staged.length < TAKEN })
    })
    if (!moved.ok) return moved
    const { imported, deletes } = moved.value.taken
    onDeletes(deletes)
    all.added += imported.added
    all.skipped += imported.skipped
    all.parked += imported.parked
    all.refused.push(...imported.refused)
    if (moved.value.isLast) return ok(all)
  }
}

/** Settles what an earlier import has left in the middle: see {@link stage}. Answers whether edits came by it. */
export async function recoverStaged(importing: Importing): Promise<boolean> {
  const found = importing.store.read(() => ok(importing.store.stagedState()))
  if (!found.ok || found.value === 'nothing') return false
  if (found.value === 'whole') await finishStaged(importing)
  else await dropStaged(importing)
  return found.value === 'whole'
}

async function dropStaged({ store, pause }: Pick<Importing, 'store' | 'pause'>): Promise<void> {
  for (; ; await pause()) {
    const dropped = store.write(() => (store.staged(SLICE).length === 0 ? fail('edit-gone') : ok(store.unstage(SLICE))))
    if (!dropped.ok) return
  }
}

/** One that the disk has spoilt is left out. */
const read = (staged: unknown): Story[] => {
  const story = storySchema.safeParse(staged)
  return story.success ? [story.data] : []
}
