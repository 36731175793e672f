import type { BulkWebsite } from '../../shared/bulk-change.ts'
import { MAX_NAMED_WEBSITES, type BulkCreated, type BulkResult } from '../../shared/bulk.ts'
import { growingSlices } from '../../shared/slices.ts'
import { ok, type AppError, type Result } from '../../shared/result.ts'
import type { WebsiteDraft } from '../../shared/website.ts'
import type { Outbox } from '../outbox/contract.ts'
import type { View } from '../replica/view.ts'
import type { BulkOutcome } from './outcome.ts'
import type { QueuedEdit } from './ports.ts'
import { takenBack, type Undone } from './taken-back.ts'

/** Creates or deletes many websites. Each gets an edit of its own (docs/sync.md#sending-order). */
export interface BulkChanges {
  /** Queues the creates, and returns when they are on disk. Errors are reported by row, counted from 0. */
  create(drafts: readonly WebsiteDraft[]): Promise<BulkCreated>
  /** Queues the deletes, and returns when they are on disk. Each waits ten seconds for Undo before it can be sent. */
  delete(keys: readonly string[]): Promise<BulkResult>
  /**
   * Without `agreed`, undoes the edits that aren't sent yet, and reports the sent ones as `sent` without undoing them. If there
   * are any, this is called again with the user's answer: `agreed` true undoes the sent edits too, false keeps them. Null if no
   * bulk create or delete has this id.
   */
  undo(bulkChange: string, agreed?: boolean): Promise<Result<Undone> | null>
  /** Returns a page of the websites of the last bulk change with their results; `page` counts from 1. */
  websites(page: number): { websites: BulkWebsite[]; pages: number }
}

export interface BulkChangesPorts {
  view: Pick<View, 'get'>
  outbox: Pick<Outbox, 'createBulk' | 'deleteBulk' | 'takeBackBulk' | 'list'>
  outcome: Pick<BulkOutcome, 'queuedFor' | 'begin' | 'bulkUndo' | 'takeBack' | 'results'>
  newId: () => string
  /** Lets other work run. */
  pause: () => Promise<void>
}

/** Number of websites on a page of results. */
const PAGE = 50
/** The order of the results, over all pages. */
const resultOrder = ['parked', 'waiting', 'back', 'sent'] as const

type Kind = 'create' | 'delete'

interface BulkChange {
  id: string
  kind: Kind
  /** The websites that were created or deleted. */
  keys: string[]
}

export function createBulkChanges({ view, outbox, outcome, newId, pause }: BulkChangesPorts): BulkChanges {
  /** The latest bulk change of each kind. */
  const last = new Map<Kind, BulkChange>()
  /** The sent part of each bulk change that is to be undone, by its id, until the user answers whether to undo that part too. */
  const asked = new Map<string, BulkChange>()

  function begin(kind: Kind): BulkChange {
    const bulkChange = { id: newId(), kind, keys: [] }
    last.set(kind, bulkChange)
    return bulkChange
  }

  /** Returns the result of a bulk delete. `errors`: one for each key, or null if its delete is queued. */
  function resultOf(bulkChange: string, keys: readonly string[], errors: readonly (AppError | null)[]): BulkResult {
    const refused = keys.flatMap((key, at) => {
      const error = errors[at] ?? null
      return error === null ? [] : [{ key, error }]
    })
    const named = refused
      .slice(0, MAX_NAMED_WEBSITES)
      .map((one) => ({ ...one, domain: view.get(one.key)?.domain ?? '' }))
    return { bulkChange, changed: keys.length - refused.length, same: 0, refused: named, unknown: [] }
  }

  return {
    async create(drafts) {
      const bulkChange = begin('create')
      const made: Result<string>[] = []
      const edits: QueuedEdit[] = []
      // The edits of one slice may be sent while later ones are being queued, so they are looked up at once.
      for (const slice of growingSlices(drafts)) {
        if (made.length > 0) await pause()
        const queued = await outbox.createBulk(slice)
        edits.push(...outcome.queuedFor(valuesOf(queued)))
        made.push(...queued)
      }
      bulkChange.keys = valuesOf(made)
      outcome.begin(bulkChange, edits)
      const refused = made.flatMap((one, row) => (one.ok ? [] : [{ row, error: one.error }]))
      return {
        bulkChange: bulkChange.id,
        created: bulkChange.keys.length,
        refused: refused.slice(0, MAX_NAMED_WEBSITES),
      }
    },
    async delete(selected) {
      const keys = [...new Set(selected)]
      const bulkChange = begin('delete')
      const errors = await outbox.deleteBulk(keys)
      bulkChange.keys = keys.filter((_, at) => errors[at] === null)
      outcome.begin(bulkChange, outcome.queuedFor(bulkChange.keys))
      return resultOf(bulkChange.id, keys, errors)
    },
    async undo(id, agreed) {
      const bulkChange = asked.get(id) ?? [...last.values()].find((one) => one.id === id) ?? outcome.bulkUndo(id)
      if (bulkChange === null || bulkChange.kind === 'update') return null
      const { kind, keys } = bulkChange
      asked.delete(id)
      if (last.get(kind)?.id === id) last.delete(kind)
      const domains = outcome.results()
      const domainOf = (key: string): string => view.get(key)?.domain ?? domains.get(key)?.domain ?? ''
      const undone = await outcome.takeBack(
        id,
        async () =>
          takenBack(kind, keys, agreed === false ? [] : await outbox.takeBackBulk(kind, keys, agreed), domainOf),
        ({ asks }) => (asks.length > 0 ? { id, kind, keys: asks } : null),
      )
      if (undone.asks.length > 0) asked.set(id, { id, kind, keys: undone.asks })
      const kept = (agreed === false ? keys : undone.asks).map(domainOf)
      return ok({ bulkChange: id, same: 0, unknown: [], ...undone.result, kept })
    },
    websites(page) {
      const all = [...outcome.results()].map(([key, one]) => ({ key, ...one }))
      const sorted = resultOrder.flatMap((result) => all.filter(({ is }) => is === result))
      const websites = sorted.slice((page - 1) * PAGE, page * PAGE).map((one) => {
        const edits = one.is === 'parked' ? outbox.list({ website: one.key, page: 1, per_page: 1 }) : null
        return { ...one, edit: (edits?.ok && edits.value.edits[0]) || null, exists: view.get(one.key) !== null }
      })
      return { websites, pages: Math.max(1, Math.ceil(all.length / PAGE)) }
    },
  }
}

/** Returns the values of the results that are no error. */
const valuesOf = (made: readonly Result<string>[]): string[] => made.flatMap((one) => (one.ok ? [one.value] : []))
