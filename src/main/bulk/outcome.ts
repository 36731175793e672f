import type { Batch } from '../../shared/batch.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { Outbox } from '../outbox/contract.ts'
import type { Clock } from '../outbox/ports.ts'
import type { BatchStore, StoredBatch, Traced, WayBack } from './ports.ts'

/**
 * What comes of what was last done to many websites at once, told as one: each edit goes its own way, and is followed by its
 * id. It's known after a restart too, while anything of it is left.
 */
export interface Outcome {
  /** The edits that were queued for these websites just now, and that may be sent a moment later; none where nothing was. */
  queuedFor(websites: readonly string[]): string[]
  /** It has come to these edits; what was done to many before isn't told any more. */
  begin(way: WayBack, edits: readonly string[]): void
  /** As it's known after a restart; null: no such batch, or too much of it to be kept (docs/decisions/0025). */
  wayBack(id: string): WayBack | null
  /** It's taken back as one by `work`: it isn't told any more, and its way back is kept until that is done. */
  takeBack<T>(id: string, work: () => Promise<T>): Promise<T>
  /** The person has read what came of it. Errors: `disk-full`, `storage`, `newer-version`. */
  dismiss(): Result<void>
  /** Null: there's nothing to tell. */
  state(): Batch | null
}

export interface OutcomePorts {
  store: BatchStore
  outbox: Pick<Outbox, 'onChange'>
  clock: Pick<Clock, 'wall'>
}

/** As many websites and lines of theirs are kept for the way back. */
const MOST_KEPT = 50_000

/** As many are named. */
const MOST_NAMED = 3

/** `replaced`: there's another edit under its id, or with it in it, that isn't what was done to many. */
type Stands = 'waiting' | 'parked' | 'replaced'

interface Told extends Pick<StoredBatch, 'id' | 'kind' | 'at' | 'sent' | 'back' | 'named' | 'canUndo'> {
  /** The edits that aren't done with. */
  open: Map<string, Stands>
  /** By the website. */
  editOf: Map<string, string>
  /** By the edit: it's named once it's gone, too. */
  domainOf: Map<string, string>
  /** How many were open when it was saved. */
  saved: number
  /** It was begun since the app was: who did it knows the way back. */
  fresh: boolean
  /** It's being taken back as one. */
  leaving: boolean
}

export function createOutcome({ store, outbox, clock }: OutcomePorts): Outcome {
  /** Undefined: not read yet. */
  let batch: Told | null | undefined
  /** Edits that may have come further. */
  let due: Set<string> | 'all' = 'all'

  outbox.onChange(({ websites, edits }) => {
    if (!edits || !batch || due === 'all') return
    if (websites === null) due = 'all'
    else for (const id of websites.flatMap(concerned)) due.add(id)
  })

  /** What is found in the place of a new website is taken under the key that it has in the list. */
  function concerned(website: string): string[] {
    const id = batch?.editOf.get(website)
    if (id !== undefined) return [id]
    return batch?.kind === 'create' ? [...batch.open].flatMap(([one, is]) => (is === 'parked' ? [one] : [])) : []
  }

  function follow({ edits, replaced, ...known }: StoredBatch): Told {
    const open = new Map<string, Stands>(edits.map((id) => [id, 'waiting']))
    for (const id of replaced) open.set(id, 'replaced')
    due = 'all'
    return { ...known, open, editOf: new Map(), domainOf: new Map(), saved: edits.length, fresh: false, leaving: false }
  }

  function look(told: Told): void {
    const ids = due === 'all' ? [...told.open.keys()] : [...due].filter((id) => told.open.has(id))
    const traced = ids.length === 0 ? ok([]) : store.trace(ids)
    // What can't be read now is looked for again.
    if (!traced.ok) return
    due = new Set()
    const isNew = traced.value.map((one) => note(told, one)).includes(true)
    if (isNew || told.open.size < told.saved / 2) save(told)
  }

  /** Whether it's found not to be sent, or not as it was asked for: of what is sent the store knows. */
  function note(told: Told, { id, there, isApplied }: Traced): boolean {
    const was = told.open.get(id)
    if (there === null) {
      told.open.delete(id)
      const isSent = isApplied && was !== 'replaced'
      told[isSent ? 'sent' : 'back'] += 1
      const domain = told.domainOf.get(id)
      if (!isSent && domain !== undefined && told.named.length < MOST_NAMED) told.named.push(domain)
      return !isSent
    }
    const isOther = (there.kind === 'delete') !== (told.kind === 'delete')
    const is = isOther ? 'replaced' : there.isParked ? 'parked' : 'waiting'
    told.editOf.set(there.website, id)
    told.domainOf.set(id, there.domain)
    told.open.set(id, is)
    return is !== was && (is === 'replaced' || was === 'replaced')
  }

  /** What keeps it from the disk keeps it from being known after a restart, and nothing else. */
  function save(told: Told): void {
    const { id, kind, at, sent, back, named, canUndo, open } = told
    const replaced = [...open].flatMap(([one, is]) => (is === 'replaced' ? [one] : []))
    store.saveBatch({ id, kind, at, edits: [...open.keys()], replaced, sent, back, named, canUndo })
    told.saved = open.size
  }

  /** What was over when the app ended, and can't be taken back as one, has been told. */
  function current(): Told | null {
    if (batch === undefined) {
      const kept = store.batch()
      batch = kept.ok && kept.value !== null ? follow(kept.value) : null
      if (batch !== null) look(batch)
      if (batch?.open.size === 0 && !canTakeBack(batch)) batch = null
    }
    return batch
  }

  function dismiss(): Result<void> {
    const dismissed = store.saveBatch(null)
    if (dismissed.ok) batch = null
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
      const next = { id, kind, at: clock.wall(), edits: [...edits], replaced: [], sent: 0, back: 0, named: [], canUndo }
      batch = { ...follow(next), fresh: true }
      store.saveBatch(next)
    },
    wayBack(id) {
      const kept = store.wayBack()
      return kept.ok && kept.value?.id === id && !batch?.leaving ? kept.value : null
    },
    async takeBack(id, work) {
      const told = current()
      if (told?.id !== id) return work()
      told.leaving = true
      try {
        const done = await work()
        if (batch === told) dismiss()
        return done
      } finally {
        told.leaving = false
      }
    },
    dismiss,
    state() {
      const told = current()
      if (told === null || told.leaving) return null
      if (due === 'all' || due.size > 0) look(told)
      const { id, kind, at, open, sent } = told
      const counts = { waiting: 0, parked: 0, replaced: 0 }
      for (const is of open.values()) counts[is] += 1
      const { waiting, parked, replaced } = counts
      const back = told.back + replaced
      const websites = sent + waiting + parked + back
      // The person has seen to each of them.
      if (back === websites) return null
      const first = (domains: string[]) => domains.slice(0, MOST_NAMED)
      const domains = {
        parked: first(those(told, 'parked')),
        back: first([...told.named, ...those(told, 'replaced')]),
      }
      return { id, kind, at, websites, sent, waiting, parked, back, domains, canUndo: canTakeBack(told) }
    },
  }
}

function those({ open, domainOf }: Told, stands: Stands): string[] {
  return [...open].flatMap(([id, is]) => (is === stands ? (domainOf.get(id) ?? []) : []))
}

/** What was made or deleted is taken back until it's sent. */
function canTakeBack({ kind, fresh, canUndo, open }: Told): boolean {
  return (fresh || canUndo) && (kind === 'update' || [...open.values()].some((is) => is !== 'replaced'))
}

/** In websites and lines. */
function weightOf(way: WayBack): number {
  if (way.kind !== 'update') return way.keys.length
  const lists = way.steps.flatMap(([, { before, after }]) => [before, after])
  return lists.reduce((sum, one) => sum + 1 + (one.exclude_ips?.length ?? 0) + (one.exclude_params?.length ?? 0), 0)
}
