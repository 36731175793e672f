import type { Batch } from '../../shared/batch.ts'
import type { EditKind } from '../../shared/edit.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { Outbox } from '../outbox/contract.ts'
import { isApplied } from '../outbox/history.ts'
import type { Clock, OutboxStore } from '../outbox/ports.ts'
import type { BatchStore, StoredBatch } from '../storage/batch.ts'

/**
 * What comes of what was last done to many websites at once, told as one: each edit goes its own way, and a website is done
 * with once none of its edits is left. It's known after a restart too, while anything of it is.
 */
export interface Outcome {
  /** It's queued for these websites; what was done to many before isn't told any more. */
  begin(id: string, kind: EditKind, keys: readonly string[]): void
  /** It was taken back as one. */
  drop(id: string): void
  /** The person has read what came of it. Errors: `disk-full`, `storage`, `newer-version`. */
  dismiss(): Result<void>
  /** Null: there's nothing to tell. */
  state(): Batch | null
}

export interface OutcomePorts {
  store: BatchStore & Pick<OutboxStore, 'read' | 'pasts'>
  outbox: Pick<Outbox, 'onChange'>
  clock: Pick<Clock, 'wall'>
}

export function createOutcome({ store, outbox, clock }: OutcomePorts): Outcome {
  /** Undefined: not read yet. */
  let batch: StoredBatch | null | undefined
  /** Those that aren't done with. */
  const open = new Map<string, 'waiting' | 'parked'>()
  const counts = { waiting: 0, parked: 0, sent: 0, back: 0 }
  let stale = false

  outbox.onChange(({ websites }) => {
    if (websites === null) stale = true
    else look(websites)
  })

  function look(keys: Iterable<string>): void {
    if (open.size === 0) return
    const read = store.read(() => {
      for (const key of keys) if (open.has(key)) note(key)
      return ok(undefined)
    })
    if (!read.ok) stale = true
  }

  function note(key: string): void {
    const before = open.get(key)
    const now = store.stands(key)
    if (before === now) return
    if (before !== undefined) counts[before] -= 1
    if (now === null) {
      open.delete(key)
      // An entry that is gone from the history was one of many.
      const became = store.pasts(0, 1, key)[0]?.became ?? 'sent'
      counts[isApplied(became) ? 'sent' : 'back'] += 1
    } else {
      open.set(key, now)
      counts[now] += 1
    }
  }

  function take(next: StoredBatch | null): void {
    batch = next
    open.clear()
    Object.assign(counts, { waiting: next?.keys.length ?? 0, parked: 0, sent: 0, back: 0 })
    for (const key of next?.keys ?? []) open.set(key, 'waiting')
    look(open.keys())
  }

  /** What was over when the app ended has been told, or is to be seen among what was sent. */
  function current(): StoredBatch | null {
    if (batch === undefined) {
      const kept = store.batch()
      take(kept.ok ? kept.value : null)
      if (open.size === 0) take(null)
    }
    return batch ?? null
  }

  function dismiss(): Result<void> {
    take(null)
    return store.saveBatch(null)
  }

  return {
    begin(id, kind, keys) {
      // One alone is told as any other change is.
      if (keys.length < 2) return
      const next = { id, kind, at: clock.wall(), keys: [...keys] }
      take(next)
      // What keeps it from the disk keeps it from being known after a restart, and nothing else.
      store.saveBatch(next)
    },
    drop(id) {
      if (current()?.id === id) dismiss()
    },
    dismiss,
    state() {
      const now = current()
      if (now === null) return null
      if (stale) {
        stale = false
        look([...open.keys()])
      }
      const { id, kind, at, keys } = now
      return { id, kind, at, websites: keys.length, ...counts }
    },
  }
}
