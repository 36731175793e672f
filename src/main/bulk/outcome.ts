import type { BulkChange, BulkWebsiteResult } from '../../shared/bulk-change.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { Outbox } from '../outbox/contract.ts'
import type { Clock } from '../outbox/ports.ts'
import type { BulkWebsiteResults } from '../replica/ports.ts'
import type { BulkChangeStore, Each, Queued, StoredBulkChange, Traced, WayBack } from './ports.ts'

/**
 * What comes of what was last done to many websites at once, told as one: each edit goes its own way, and is followed by its
 * id. It's known after a restart too, while anything of it is left.
 */
export interface Outcome {
  /** The edits that were queued for these websites just now, and that may be sent a moment later; none where nothing was. */
  queuedFor(websites: readonly string[]): Queued[]
  /** It has come to these edits; what was done to many before isn't told any more. */
  begin(way: WayBack, edits: readonly Queued[]): void
  /** As it's known after a restart; null: no such bulk change, or too much of it to be kept (docs/decisions/0025-undo-of-a-bulk-change.md). */
  wayBack(id: string): WayBack | null
  /** It's taken back as one by `work`: it isn't told any more, and its way back is kept until that is done. */
  takeBack<T>(id: string, work: () => Promise<T>): Promise<T>
  /** The person has read what came of it. Errors: `disk-full`, `storage`, `newer-version`. */
  dismiss(): Result<void>
  /** Null: there's nothing to tell. */
  state(): BulkChange | null
  /** The same of each of its websites, by their keys. */
  results(): BulkWebsiteResults
}

export interface OutcomePorts {
  store: BulkChangeStore
  outbox: Pick<Outbox, 'onChange'>
  clock: Pick<Clock, 'wall'>
}

/** As many websites and lines of theirs are kept for the way back. */
const MOST_KEPT = 50_000

interface Told extends Omit<StoredBulkChange, 'each'> {
  byEdit: Map<string, Each>
  byWebsite: Map<string, Each>
  /** How many were open when it was saved. */
  saved: number
  /** It was begun since the app was: who did it knows the way back. */
  fresh: boolean
  /** It's being taken back as one. */
  leaving: boolean
}

export function createOutcome({ store, outbox, clock }: OutcomePorts): Outcome {
  /** Undefined: not read yet. */
  let bulkChange: Told | null | undefined
  /** Edits that may have come further. */
  let due: Set<string> | 'all' = 'all'

  outbox.onChange(({ websites, edits }) => {
    if (!edits || !bulkChange || due === 'all') return
    if (websites === null) due = 'all'
    else for (const id of websites.flatMap(concerned)) due.add(id)
  })

  /** What is found in the place of a new website is taken under the key that it has in the list. */
  function concerned(website: string): string[] {
    const one = bulkChange?.byWebsite.get(website)
    if (one !== undefined) return [one.id]
    return bulkChange?.kind === 'create'
      ? [...bulkChange.byEdit.values()].flatMap(({ id, is }) => (is === 'parked' ? [id] : []))
      : []
  }

  function follow({ each, ...known }: StoredBulkChange): Told {
    const byEdit = new Map(each.map((one) => [one.id, one]))
    const byWebsite = new Map(each.map((one) => [one.website, one]))
    due = 'all'
    return { ...known, byEdit, byWebsite, saved: each.filter(isOpen).length, fresh: false, leaving: false }
  }

  function look(told: Told): void {
    const each = due === 'all' ? [...told.byEdit.values()] : [...due].flatMap((id) => told.byEdit.get(id) ?? [])
    const ids = each.filter(isOpen).map(({ id }) => id)
    const traced = ids.length === 0 ? ok([]) : store.trace(ids)
    // What can't be read now is looked for again.
    if (!traced.ok) return
    due = new Set()
    const isNew = traced.value.map((one) => note(told, one)).includes(true)
    if (isNew || openIn(told) < told.saved / 2) save(told)
  }

  /** Whether it's found not to be sent, or not as it was asked for: of what is sent the store knows. */
  function note({ kind, byEdit, byWebsite }: Told, { id, there, isApplied }: Traced): boolean {
    const one = byEdit.get(id)
    if (one === undefined) return false
    const was = one.is
    if (there === null) {
      one.is = isApplied && was !== 'replaced' ? 'sent' : 'back'
      return one.is === 'back'
    }
    const isOther = (there.kind === 'delete') !== (kind === 'delete')
    one.is = isOther ? 'replaced' : there.isParked ? 'parked' : 'waiting'
    one.domain = there.domain
    byWebsite.delete(one.website)
    byWebsite.set((one.website = there.website), one)
    return one.is !== was && [one.is, was].includes('replaced')
  }

  /** What keeps it from the disk keeps it from being known after a restart, and nothing else. */
  function save(told: Told): void {
    const { id, kind, at, canUndo, byEdit } = told
    store.saveBulkChange({ id, kind, at, canUndo, each: [...byEdit.values()] })
    told.saved = openIn(told)
  }

  /** What was over when the app ended, and can't be taken back as one, has been told. */
  function current(): Told | null {
    if (bulkChange === undefined) {
      const kept = store.bulkChange()
      bulkChange = kept.ok && kept.value !== null ? follow(kept.value) : null
      if (bulkChange !== null) look(bulkChange)
      if (bulkChange && openIn(bulkChange) === 0 && !canTakeBack(bulkChange)) bulkChange = null
    }
    return bulkChange
  }

  /** As far as it has come by now; null while it's taken back. */
  function shown(): Told | null {
    const told = current()
    if (told === null || told.leaving) return null
    if (due === 'all' || due.size > 0) look(told)
    return told
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
      // One alone is told as any other change is.
      if (edits.length < 2) return
      const canUndo = weightOf(way) <= MOST_KEPT && store.saveWayBack(way).ok
      const { id, kind } = way
      const each = edits.map((edit): Each => ({ ...edit, is: 'waiting' }))
      const next = { id, kind, at: clock.wall(), each, canUndo }
      bulkChange = { ...follow(next), fresh: true }
      store.saveBulkChange(next)
    },
    wayBack(id) {
      const kept = store.wayBack()
      return kept.ok && kept.value?.id === id && !bulkChange?.leaving ? kept.value : null
    },
    async takeBack(id, work) {
      const told = current()
      if (told?.id !== id) return work()
      told.leaving = true
      try {
        const done = await work()
        if (bulkChange === told) dismiss()
        return done
      } finally {
        told.leaving = false
      }
    },
    dismiss,
    state() {
      const told = shown()
      if (told === null) return null
      const { id, kind, at, byEdit } = told
      const counts = { sent: 0, waiting: 0, parked: 0, back: 0 }
      for (const one of byEdit.values()) counts[resultOf(one)] += 1
      // The person has seen to each of them.
      if (counts.back === byEdit.size) return null
      return { id, kind, at, websites: byEdit.size, ...counts, canUndo: canTakeBack(told) }
    },
    results() {
      const each = [...(shown()?.byWebsite ?? [])]
      return new Map(each.map(([website, one]) => [website, { domain: one.domain, is: resultOf(one) }]))
    },
  }
}

const resultOf = ({ is }: Each): BulkWebsiteResult => (is === 'replaced' ? 'back' : is)
const isOpen = ({ is }: Each): boolean => is !== 'sent' && is !== 'back'
const openIn = ({ byEdit }: Told): number => [...byEdit.values()].filter(isOpen).length

/** What was made or deleted is taken back until it's sent. */
function canTakeBack({ kind, fresh, canUndo, byEdit }: Told): boolean {
  return (
    (fresh || canUndo) &&
    (kind === 'update' || [...byEdit.values()].some(({ is }) => is === 'waiting' || is === 'parked'))
  )
}

/** In websites and lines. */
function weightOf(way: WayBack): number {
  if (way.kind !== 'update') return way.keys.length
  const lists = way.steps.flatMap(([, { before, after }]) => [before, after])
  return lists.reduce((sum, one) => sum + 1 + (one.exclude_ips?.length ?? 0) + (one.exclude_params?.length ?? 0), 0)
}
