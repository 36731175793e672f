import type { BulkChange, BulkWebsiteResult } from '../../shared/bulk-change.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { Outbox } from '../outbox/contract.ts'
import type { Clock } from '../outbox/ports.ts'
import type { BulkChangeStore, BulkChangeItem, QueuedEdit, StoredBulkChange, TracedEdit, BulkUndo } from './ports.ts'

/** By website key. */
type BulkWebsiteResults = ReadonlyMap<string, { domain: string; is: BulkWebsiteResult }>

/**
 * Follows the results of the last bulk change. Its edits are sent independently of each other. After a restart, the results are
 * known if an edit was still pending at the quit, or if the bulk change can be undone.
 */
export interface BulkOutcome {
  /** Returns the edits that were just queued for the websites. Must be called before the outbox can send one of them. */
  queuedFor(websites: readonly string[]): QueuedEdit[]
  /** Follows this bulk change from now on, unless it has no edits, or only one and `way` has no tags or notes. */
  begin(way: BulkUndo, edits: readonly QueuedEdit[]): void
  /**
   * Returns the stored data to undo the bulk change `id`. Null if this is not the last bulk change, if it is being undone, or if
   * its data was too large to be stored (docs/decisions/0025-undo-of-a-bulk-change.md).
   */
  bulkUndo(id: string): BulkUndo | null
  /**
   * Runs `work`, which undoes the bulk change `id`, and hides the result during that time. Then forgets the bulk change, unless
   * `work` returns a `rest` that can still be undone. `left`: see {@link BulkChange}.
   */
  takeBack<T extends { rest: BulkUndo | null; left: BulkChange['left'] }>(
    id: string,
    work: () => Promise<T>,
  ): Promise<T>
  /** Forgets the bulk change whose result the user has dismissed. Errors: `disk-full`, `storage`, `newer-version`. */
  dismiss(): Result<void>
  /**
   * Returns the last bulk change for the window. Null if there is none, if it is being undone, or if nothing of it was or will
   * be sent and nothing is left to undo.
   */
  state(): BulkChange | null
  /** Returns the results in the order of the preview. Empty while the bulk change is being undone. */
  results(): BulkWebsiteResults
}

export interface BulkOutcomePorts {
  store: BulkChangeStore
  outbox: Pick<Outbox, 'onChange'>
  clock: Pick<Clock, 'wall'>
}

/** Maximum number of websites and list lines that are stored for undo. A larger bulk change cannot be undone after a restart. */
const MAX_STORED_UNDO = 50_000

/** The last bulk change with the present results of its edits, in memory. */
interface TrackedBulkChange extends Omit<StoredBulkChange, 'each'> {
  byEdit: Map<string, BulkChangeItem>
  byWebsite: Map<string, BulkChangeItem>
  /** Number of edits without a final result when the bulk change was last saved. */
  openWhenSaved: number
  /** True if the bulk change was begun in this run of the app. Then it can be undone even if `canUndo` is false. */
  fresh: boolean
  undoing: boolean
  left: BulkChange['left']
}

export function createBulkOutcome({ store, outbox, clock }: BulkOutcomePorts): BulkOutcome {
  /** Undefined until it is read from the store. */
  let bulkChange: TrackedBulkChange | null | undefined
  /** Ids of the edits whose results may have changed since the last `updateResults`. */
  let due: Set<string> | 'all' = 'all'

  outbox.onChange(({ websites, edits }) => {
    if (!edits || !bulkChange || due === 'all') return
    if (websites === null) due = 'all'
    else for (const id of websites.flatMap(concerned)) due.add(id)
  })

  /**
   * Returns the ids of the edits that a change of the website may concern: the edit of that website, or all parked edits if none
   * is known for it. A parked create that adopts an existing website continues under the key of that website.
   */
  function concerned(website: string): string[] {
    const item = bulkChange?.byWebsite.get(website)
    if (item !== undefined) return [item.id]
    return bulkChange && bulkChange.kind !== 'delete'
      ? [...bulkChange.byEdit.values()].flatMap(({ id, is }) => (is === 'parked' ? [id] : []))
      : []
  }

  /** Indexes the edits of a stored bulk change, and marks all of them as {@link due}. */
  function follow({ each, ...stored }: StoredBulkChange): TrackedBulkChange {
    const byEdit = new Map(each.map((one) => [one.id, one]))
    const byWebsite = new Map(each.map((one) => [one.website, one]))
    due = 'all'
    const openWhenSaved = each.filter(isOpen).length
    return { ...stored, byEdit, byWebsite, openWhenSaved, fresh: false, undoing: false, left: null }
  }

  /** Updates the results of the edits that are {@link due}, and saves those that can't be found out after a restart. */
  function updateResults(change: TrackedBulkChange): void {
    const each = due === 'all' ? [...change.byEdit.values()] : [...due].flatMap((id) => change.byEdit.get(id) ?? [])
    const ids = each.filter(isOpen).map(({ id }) => id)
    const traced = ids.length === 0 ? ok([]) : store.trace(ids)
    // `due` is kept, so the next call tries again.
    if (!traced.ok) return
    due = new Set()
    const isNew = traced.value.map((one) => updateResult(change, one)).includes(true)
    if (isNew || countOpenResults(change) < change.openWhenSaved / 2) save(change)
  }

  /**
   * Updates the result of one edit. Returns true if the store couldn't find it out after a restart: the edit left the outbox
   * unsent, became `replaced`, or is no longer `replaced`.
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

  /** An error is ignored: the results are then only unknown after a restart. */
  function save(change: TrackedBulkChange): void {
    const { id, kind, at, order, canUndo, byEdit } = change
    store.saveBulkChange({ id, kind, at, order, canUndo, each: [...byEdit.values()] })
    change.openWhenSaved = countOpenResults(change)
  }

  /**
   * Returns the last bulk change. Null if there is none, or if all results were final before a restart and nothing can be undone:
   * the user has seen these results already.
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
      const counts = { sent: 0, waiting: 0, parked: 0, notSent: 0 }
      for (const one of byEdit.values()) counts[resultOf(one)] += 1
      // The user has undone, discarded or replaced all edits.
      if (counts.notSent === byEdit.size && left === null) return null
      return { id, kind, at, order, websites: byEdit.size, ...counts, canUndo: canTakeBack(change), left }
    },
    results() {
      const each = [...(shown()?.byEdit.values() ?? [])]
      return new Map(each.map((one) => [one.website, { domain: one.domain, is: resultOf(one) }]))
    },
  }
}

/** Returns the result for the user, to whom a replaced or taken-back edit counts as not sent. */
const resultOf = ({ is }: BulkChangeItem): BulkWebsiteResult => (is === 'replaced' || is === 'back' ? 'notSent' : is)
/** True if the result of the edit may still change. */
const isOpen = ({ is }: BulkChangeItem): boolean => is !== 'sent' && is !== 'back'
const countOpenResults = ({ byEdit }: TrackedBulkChange): number => [...byEdit.values()].filter(isOpen).length

/** True if the data to undo the bulk change is in memory or stored. */
const canTakeBack = ({ fresh, canUndo }: TrackedBulkChange): boolean => fresh || canUndo

/** Returns the size of the undo data, counted in websites and list lines. */
function sizeOf(way: BulkUndo): number {
  if (way.kind !== 'update') return way.keys.length
  const lists = way.steps.flatMap(([, { before, after }]) => [before, after])
  const lines = lists.map((one) => 1 + (one.exclude_ips?.length ?? 0) + (one.exclude_params?.length ?? 0))
  return lines.reduce((sum, one) => sum + one, way.created.length)
}
