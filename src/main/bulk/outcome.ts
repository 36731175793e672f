import type { BulkChange, BulkWebsiteResult } from '../../shared/bulk-change.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { Outbox } from '../outbox/contract.ts'
import type { Clock } from '../outbox/ports.ts'
import type { BulkChangeStore, BulkChangeItem, QueuedEdit, StoredBulkChange, TracedEdit, BulkUndo } from './ports.ts'

/** The results of the last bulk change, by the key of the website. */
type BulkWebsiteResults = ReadonlyMap<string, { domain: string; is: BulkWebsiteResult }>

/**
 * Follows the result of the last bulk change. Each of its edits is sent on its own, and is found by its id. After a
 * restart, the result is known if an edit was still pending then, or if the bulk change can be undone.
 */
export interface BulkOutcome {
  /** Returns the edits that were just queued for the websites. Must be called before one of them can be sent. */
  queuedFor(websites: readonly string[]): QueuedEdit[]
  /**
   * Begins to follow a bulk change, instead of the one before. Does nothing if `edits` is empty, or has only one edit and `way` has
   * no tags or notes.
   */
  begin(way: BulkUndo, edits: readonly QueuedEdit[]): void
  /**
   * Returns the stored data to undo the last bulk change, also after a restart. Null if `id` is that of another one, if it is
   * being undone, or if it was too large to be stored (docs/decisions/0025-undo-of-a-bulk-change.md).
   */
  bulkUndo(id: string): BulkUndo | null
  /**
   * Undoes a bulk change with `work`. Its result is not shown during `work`. Afterwards, neither the result nor the data to undo it is
   * kept, unless `work` returns the `rest` that can still be undone. `left`: what the rest is, see {@link BulkChange}.
   */
  takeBack<T extends { rest: BulkUndo | null; left: BulkChange['left'] }>(
    id: string,
    work: () => Promise<T>,
  ): Promise<T>
  /** The user has dismissed the result. Errors: `disk-full`, `storage`, `newer-version`. */
  dismiss(): Result<void>
  /**
   * Returns the result so far. Null without a bulk change, while it is being undone, and if all of its edits are `back`, unless its last
   * undo has left something that can still be undone.
   */
  state(): BulkChange | null
  /**
   * Returns the result of each website of the last bulk change, by its key, in the order of its preview. Empty while the
   * bulk change is being undone.
   */
  results(): BulkWebsiteResults
}

export interface BulkOutcomePorts {
  store: BulkChangeStore
  outbox: Pick<Outbox, 'onChange'>
  clock: Pick<Clock, 'wall'>
}

/** Maximum number of websites and list lines that are stored for undo. A larger bulk change cannot be undone after a restart. */
const MAX_STORED_UNDO = 50_000

/** The last bulk change, with its edits by their ids and by the keys of their websites. */
interface TrackedBulkChange extends Omit<StoredBulkChange, 'each'> {
  byEdit: Map<string, BulkChangeItem>
  byWebsite: Map<string, BulkChangeItem>
  /** Number of edits that were open when the bulk change was last saved. */
  openWhenSaved: number
  /** True if the bulk change was begun in this run of the app, which knows how to undo it. */
  fresh: boolean
  /** True while the bulk change is being undone. */
  undoing: boolean
  left: BulkChange['left']
}

export function createBulkOutcome({ store, outbox, clock }: BulkOutcomePorts): BulkOutcome {
  /** Undefined until it is read. */
  let bulkChange: TrackedBulkChange | null | undefined
  /** The edits whose state may have changed. */
  let due: Set<string> | 'all' = 'all'

  outbox.onChange(({ websites, edits }) => {
    if (!edits || !bulkChange || due === 'all') return
    if (websites === null) due = 'all'
    else for (const id of websites.flatMap(concerned)) due.add(id)
  })

  /**
   * Returns the ids of the edits that a change of a website may concern: the edit of that website, or all parked edits if none is
   * known for it, because a create that adopted an existing website is now under that website's key.
   */
  function concerned(website: string): string[] {
    const item = bulkChange?.byWebsite.get(website)
    if (item !== undefined) return [item.id]
    return bulkChange && bulkChange.kind !== 'delete'
      ? [...bulkChange.byEdit.values()].flatMap(({ id, is }) => (is === 'parked' ? [id] : []))
      : []
  }

  /** Returns a stored bulk change with its edits by id and by website, all of them {@link due}. */
  function follow({ each, ...stored }: StoredBulkChange): TrackedBulkChange {
    const byEdit = new Map(each.map((one) => [one.id, one]))
    const byWebsite = new Map(each.map((one) => [one.website, one]))
    due = 'all'
    const openWhenSaved = each.filter(isOpen).length
    return { ...stored, byEdit, byWebsite, openWhenSaved, fresh: false, undoing: false, left: null }
  }

  /** Updates the results of the edits that are {@link due}, and saves what the store can't find out after a restart. */
  function updateResults(change: TrackedBulkChange): void {
    const each = due === 'all' ? [...change.byEdit.values()] : [...due].flatMap((id) => change.byEdit.get(id) ?? [])
    const ids = each.filter(isOpen).map(({ id }) => id)
    const traced = ids.length === 0 ? ok([]) : store.trace(ids)
    // The next call tries again.
    if (!traced.ok) return
    due = new Set()
    const isNew = traced.value.map((one) => updateResult(change, one)).includes(true)
    if (isNew || countOpenResults(change) < change.openWhenSaved / 2) save(change)
  }

  /**
   * Updates the result of one edit. Returns true if the result has to be saved: the edit left the outbox unsent, became
   * `replaced`, or is no longer `replaced`. The store knows by itself which edits were sent.
   */
  function updateResult(
    { kind, byEdit, byWebsite }: TrackedBulkChange,
    { id, pending, isApplied }: TracedEdit,
  ): boolean {
    const item = byEdit.get(id)
    if (item === undefined) return false
    const was = item.is
    if (pending === null) {
      item.is = isApplied && was !== 'replaced' ? 'sent' : 'back'
      return item.is === 'back'
    }
    const isOtherKind = (pending.kind === 'delete') !== (kind === 'delete')
    item.is = isOtherKind ? 'replaced' : pending.isParked ? 'parked' : 'waiting'
    item.domain = pending.domain
    byWebsite.delete(item.website)
    byWebsite.set((item.website = pending.website), item)
    return item.is !== was && [item.is, was].includes('replaced')
  }

  /** Saves the results. If that fails, they are only unknown after a restart. */
  function save(change: TrackedBulkChange): void {
    const { id, kind, at, order, canUndo, byEdit } = change
    store.saveBulkChange({ id, kind, at, order, canUndo, each: [...byEdit.values()] })
    change.openWhenSaved = countOpenResults(change)
  }

  /**
   * Returns the last bulk change. Null if there is none, or if it had ended before a restart and can't be undone, because its
   * result has been shown already.
   */
  function current(): TrackedBulkChange | null {
    if (bulkChange === undefined) {
      const stored = store.bulkChange()
      bulkChange = stored.ok && stored.value !== null ? follow(stored.value) : null
      if (bulkChange !== null) updateResults(bulkChange)
      if (bulkChange && countOpenResults(bulkChange) === 0 && !canTakeBack(bulkChange)) bulkChange = null
    }
    return bulkChange
  }

  /** Returns the bulk change with current results, or null while it is being undone. */
  function shown(): TrackedBulkChange | null {
    const change = current()
    if (change === null || change.undoing) return null
    if (due === 'all' || due.size > 0) updateResults(change)
    return change
  }

  function dismiss(): Result<void> {
    const dismissed = store.saveBulkChange(null)
    if (dismissed.ok) bulkChange = null
    return dismissed
  }

  return {
    queuedFor(websites) {
      const found = store.latestEdits(websites)
      return found.ok ? found.value : []
    },
    begin(way, edits) {
      // A single edit is shown like any other change, unless its undo also has to take back tags or notes.
      if (edits.length < 2 && (edits.length === 0 || way.local === undefined)) return
      const canUndo = sizeOf(way) <= MAX_STORED_UNDO && store.saveBulkUndo(way).ok
      const { id, kind } = way
      const each = edits.map((edit): BulkChangeItem => ({ ...edit, is: 'waiting' }))
      const next = { id, kind, at: clock.wall(), order: store.lastOrder(), each, canUndo }
      bulkChange = { ...follow(next), fresh: true }
      store.saveBulkChange(next)
    },
    bulkUndo(id) {
      const stored = store.bulkUndo()
      return stored.ok && stored.value?.id === id && !bulkChange?.undoing ? stored.value : null
    },
    async takeBack(id, work) {
      const change = current()
      if (change?.id !== id) return work()
      change.undoing = true
      try {
        const done = await work()
        const { rest, left } = done
        if (bulkChange !== change) return done
        change.left = rest === null ? null : left
        if (rest === null) dismiss()
        else if (change.canUndo) store.saveBulkUndo(rest)
        return done
      } finally {
        change.undoing = false
      }
    },
    dismiss,
    state() {
      const change = shown()
      if (change === null) return null
      const { id, kind, at, order = at, byEdit, left } = change
      const counts = { sent: 0, waiting: 0, parked: 0, back: 0 }
      for (const one of byEdit.values()) counts[resultOf(one)] += 1
      // The user has undone, discarded or replaced all edits.
      if (counts.back === byEdit.size && left === null) return null
      return { id, kind, at, order, websites: byEdit.size, ...counts, canUndo: canTakeBack(change), left }
    },
    results() {
      const each = [...(shown()?.byEdit.values() ?? [])]
      return new Map(each.map((one) => [one.website, { domain: one.domain, is: resultOf(one) }]))
    },
  }
}

/** Returns the result that the user sees: an edit that was replaced counts as `back`. */
const resultOf = ({ is }: BulkChangeItem): BulkWebsiteResult => (is === 'replaced' ? 'back' : is)
/** True if the result of the edit may still change. */
const isOpen = ({ is }: BulkChangeItem): boolean => is !== 'sent' && is !== 'back'
/** Returns the number of edits whose results may still change. */
const countOpenResults = ({ byEdit }: TrackedBulkChange): number => [...byEdit.values()].filter(isOpen).length

/** True if a bulk change can be undone. */
const canTakeBack = ({ fresh, canUndo }: TrackedBulkChange): boolean => fresh || canUndo

/** Returns the size of the data to undo a bulk change, in websites and list lines. */
function sizeOf(way: BulkUndo): number {
  if (way.kind !== 'update') return way.keys.length
  const lists = way.steps.flatMap(([, { before, after }]) => [before, after])
  const lines = lists.map((one) => 1 + (one.exclude_ips?.length ?? 0) + (one.exclude_params?.length ?? 0))
  return lines.reduce((sum, one) => sum + one, way.created.length)
}
