import {
  type BulkCreateResult,
  type BulkPatch,
  type BulkPreview,
  type BulkResult,
  type BulkPreviewRow,
  type BulkUpdate,
} from '../../shared/bulk.ts'
import type { BulkWebsiteRow } from '../../shared/bulk-change.ts'
import { comparableDomain } from '../../shared/domain.ts'
import { lacksPassword, listNames, type ListName } from '../../shared/fields.ts'
import { fail, ok, type AppError, type Result } from '../../shared/result.ts'
import { PRIVACY, type WebsiteDraft, type WebsiteSettings, type WebsiteView } from '../../shared/website.ts'
import { namesIn, pickNamed } from '../outbox/model/compare.ts'
import type { Outbox } from '../outbox/contract.ts'
import type { TableAddition, TableChange, TableResult } from '../../shared/table.ts'
import type { View } from '../replica/view.ts'
import type { BulkOutcome } from './outcome.ts'
import type { BulkUndo, TagsAndNotesUndo, QueuedEdit, UndoStep } from './ports.ts'
import { changesFor, isBeingDeleted, settingsReplacedBy } from './changes.ts'
import { inSlices, queueInSlices, type JudgedUpdate } from './queue-in-slices.ts'
import { createUndoableBulkChanges, pickDomains, type UndoableBulkChanges } from './undo.ts'

const PAGE_SIZE = 50
/** The order in which {@link Bulk.websites} lists the websites. */
const resultOrder = ['parked', 'waiting', 'notSent', 'sent'] as const

/**
 * Changes many websites at once: creates or deletes them, makes the same change to each, or imports a table. Each website gets an edit
 * of its own (docs/sync.md#sending-order).
 */
export interface Bulk {
  /**
   * Returns what a change would do to each website, without queuing anything. The values that it returns become the base values
   * of the next {@link apply} (docs/sync.md#base-values). `page` counts from 1.
   */
  preview(keys: readonly string[], change: BulkPatch, page: number): Promise<BulkPreview>
  /** Like {@link preview}, but without effect on the next {@link apply}. */
  compare: Bulk['preview']
  /** Frees the values of the last {@link preview}. The next {@link apply} takes the current values as base values. */
  forgetPreview(): void
  /** Returns the list fields that the service returns for none of the websites. Such a list can only be replaced as a whole. */
  unseenLists(keys: readonly string[]): Promise<ListName[]>
  /**
   * Queues an edit for each website that the change affects, and returns when they are on disk. Errors (`disk-full`,
   * `keychain-*`) are reported per website. `onProgress`: called after each slice but the last one.
   */
  apply(
    keys: readonly string[],
    change: BulkUpdate,
    onProgress?: (done: number, total: number) => void,
  ): Promise<BulkResult>
  /**
   * Queues the changes and the new websites of an imported table in one transaction, which one undo reverts. Websites that were
   * changed or deleted since the comparison are merged or reported as refused. Errors: `disk-full`, `storage`; then nothing is
   * queued.
   */
  applyTable(table: {
    changes: readonly TableChange[]
    additions: readonly TableAddition[]
    /**
     * The tags and notes that the table has changed, for the same undo. Those of refused rows are returned as `unused`, and the
     * caller has to restore them.
     */
    local?: TagsAndNotesUndo | undefined
  }): Promise<Result<Omit<TableResult, 'local'> & { unused?: TagsAndNotesUndo | undefined }>>
  /** Queues the creates, and returns when they are on disk. Errors are reported by row, counted from 0. */
  create(drafts: readonly WebsiteDraft[]): Promise<BulkCreateResult>
  /** Queues the deletes, and returns when they are on disk. None is sent within the next ten seconds (docs/sync.md#deletes). */
  delete(keys: readonly string[]): Promise<BulkResult>
  /**
   * Undoes a bulk change. Values that were changed since stay as they are. `agreed`: true also undoes creates and deletes that were
   * already sent, false keeps them. Without `agreed`, their websites are returned as `sent`, so that the caller can ask the user
   * and call again. The last 20 bulk changes can be undone while the app runs; after a restart, only the last one, if it was small
   * enough to be stored. Websites that were refused with a temporary error can be undone again. `restoreLocal`: restores tags and
   * notes, for the websites that are undone. Errors: `edit-gone`, and those of `restoreLocal`.
   */
  undo: UndoableBulkChanges['undo']
  /** Returns a page of the last bulk change's websites with their results. `page` counts from 1. */
  websites(page: number): { websites: BulkWebsiteRow[]; pages: number }
}

/** The values of a website as the last preview showed them. */
interface PreviewedValues {
  settings: Partial<WebsiteSettings>
  /** The `updated_at` of the record. */
  at: string | undefined
}

export interface BulkPorts {
  view: Pick<View, 'get' | 'domains'>
  outbox: Pick<Outbox, 'writeBulk' | 'deleteBulk' | 'takeBackBulk' | 'list' | 'lastOrder'>
  outcome: Pick<BulkOutcome, 'queuedFor' | 'begin' | 'bulkUndo' | 'takeBack' | 'results'>
  newId: () => string
  /** Lets the event loop run other work. */
  pause: () => Promise<void>
}

export function createBulk(ports: BulkPorts): Bulk {
  const { view, outbox, outcome, newId, pause } = ports
  const undos = createUndoableBulkChanges(ports)
  /** The values that the last preview showed of each website, by website key. */
  let lastShown: ReadonlyMap<string, PreviewedValues> = new Map()

  function begin(way: BulkUndo, edits: readonly QueuedEdit[]): void {
    undos.keep(way)
    outcome.begin(way, edits)
  }

  async function preview(...args: Parameters<Bulk['preview']>): Promise<BulkPreview> {
    const shown = new Map<string, PreviewedValues>()
    const result = await compare(...args, shown)
    lastShown = shown
    return result
  }

  async function compare(
    keys: readonly string[],
    change: BulkPatch,
    page: number,
    shown?: Map<string, PreviewedValues>,
  ): Promise<BulkPreview> {
    const rows: BulkPreviewRow[] = []
    const counts = { changing: 0, same: 0, refused: 0, unlocked: 0 }
    const asksForPassword = change.privacy === PRIVACY.password && !change.masked
    const first = (page - 1) * PAGE_SIZE
    const replaced = settingsReplacedBy(change)
    let at = 0
    for await (const slice of inSlices(new Set(keys), pause)) {
      for (const key of slice) {
        const website = nullIfBeingDeleted(view.get(key))
        const judged = website === null ? fail('website-gone') : changesFor(website, change)
        if (website) shown?.set(key, { settings: pickNamed(website, replaced), at: website.updated_at })
        if (website && asksForPassword && lacksPassword(website)) counts.unlocked += 1
        if (judged.ok && judged.value === null) {
          counts.same += 1
          continue
        }
        const error = judged.ok ? null : judged.error
        counts[error ? 'refused' : 'changing'] += 1
        if (at++ < first || rows.length === PAGE_SIZE) continue
        const changes = (judged.ok && judged.value) || {}
        const [from, to] = [pickNamed(website ?? {}, namesIn(changes)), pickNamed(changes, namesIn(changes))]
        rows.push({ key, domain: view.get(key)?.domain ?? '', from, to, password: !!change.masked, error })
      }
    }
    return { ...counts, rows, pages: Math.max(1, Math.ceil(at / PAGE_SIZE)) }
  }

  async function unseenLists(keys: readonly string[]): Promise<ListName[]> {
    let unseen: ListName[] = [...listNames]
    for await (const slice of inSlices(new Set(keys), pause)) {
      const websites = slice.flatMap((key) => view.get(key) ?? [])
      unseen = unseen.filter((name) => websites.every((website) => website[name] === undefined))
      if (unseen.length === 0) break
    }
    return unseen
  }

  async function apply(...[keys, change, onProgress]: Parameters<Bulk['apply']>): Promise<BulkResult> {
    const id = newId()
    const steps = new Map<string, UndoStep>()
    const changed = new Set<string>()
    const edits: QueuedEdit[] = []
    const shown = lastShown
    lastShown = new Map()
    const earlier = outbox.lastOrder()
    const judge = (key: string): JudgedUpdate => {
      const website = nullIfBeingDeleted(view.get(key))
      if (website === null) return fail('website-gone')
      const { settings = {}, at } = shown.get(key) ?? {}
      const judged = changesFor({ ...website, ...settings }, change)
      if (!judged.ok) return judged
      if (judged.value === null) return ok(null)
      const names = namesIn(judged.value)
      const [before, after] = [pickNamed(website, names), pickNamed(judged.value, names)]
      const domain = website.id === null ? undefined : website.domain
      steps.set(key, { before, after, password: !!judged.value.password, domain })
      return ok({ changes: judged.value, seen: { ...before, ...settings }, seenAt: at })
    }
    let done = 0
    const result = await queueInSlices(ports, new Set(keys), judge, (queued, slice) => {
      for (const key of queued) changed.add(key)
      edits.push(...outcome.queuedFor(queued))
      done += slice
      if (done < keys.length) onProgress?.(done, keys.length)
    })
    const saves = { after: earlier, until: outbox.lastOrder() }
    begin({ id, kind: 'update', steps: [...steps].filter(([key]) => changed.has(key)), created: [], saves }, edits)
    // If nothing was changed, the user may apply the same preview again.
    if (result.changed === 0 && lastShown.size === 0) lastShown = shown
    return { ...result, bulkChange: id, unknown: [] }
  }

  async function applyTable({
    changes,
    additions,
    local,
  }: Parameters<Bulk['applyTable']>[0]): ReturnType<Bulk['applyTable']> {
    const id = newId()
    const steps = new Map<string, UndoStep>()
    for await (const slice of inSlices(changes, pause)) {
      for (const { key, to } of slice) {
        const names = namesIn(to)
        const website = view.get(key)
        const domain = website?.id == null ? undefined : website.domain
        steps.set(key, { before: pickNamed(website ?? {}, names), after: to, password: false, domain })
      }
    }
    const earlier = outbox.lastOrder()
    const written = await outbox.writeBulk({
      drafts: additions.map(({ draft }) => draft),
      updates: changes.map(({ key, from, to, at }) => ({ key, changes: to, seen: from, seenAt: at })),
    })
    if (!written.ok) return written
    const created = successfulValues(written.value.created)
    const refused = [
      ...changes.flatMap(({ row, domain }, at) => toRefusedRows(row, domain, written.value.updated[at] ?? null)),
      ...additions.flatMap(({ row, draft }, at) => {
        const result = written.value.created[at]
        return toRefusedRows(row, draft.domain, result && !result.ok ? result.error : null)
      }),
    ]
    changes.forEach(({ key }, at) => written.value.updated[at] && steps.delete(key))
    const edits = outcome.queuedFor([...steps.keys(), ...created])
    const refusedDomains = new Set(refused.map(({ domain }) => comparableDomain(domain)))
    const used = pickDomains(local, (domain) => !refusedDomains.has(domain))
    const unused = pickDomains(local, (domain) => refusedDomains.has(domain))
    const saves = { after: earlier, until: outbox.lastOrder() }
    begin(
      steps.size === 0
        ? { id, kind: 'create', keys: created, local: used }
        : { id, kind: 'update', steps: [...steps], created, saves, local: used },
      edits,
    )
    return ok({ bulkChange: id, changed: steps.size, created: created.length, refused, unused })
  }

  async function create(drafts: readonly WebsiteDraft[]): Promise<BulkCreateResult> {
    const id = newId()
    const made: Result<string>[] = []
    const edits: QueuedEdit[] = []
    // The edits are looked up after each slice, because they may be sent while later ones are being queued.
    for await (const slice of inSlices(drafts, pause)) {
      const written = await outbox.writeBulk({ drafts: slice })
      const queued = written.ok ? written.value.created : slice.map(() => written)
      edits.push(...outcome.queuedFor(successfulValues(queued)))
      made.push(...queued)
    }
    const keys = successfulValues(made)
    begin({ id, kind: 'create', keys }, edits)
    const refused = made.flatMap((one, row) => (one.ok ? [] : [{ row, error: one.error }]))
    return { bulkChange: id, created: keys.length, refused }
  }

  async function deleteAll(selected: readonly string[]): Promise<BulkResult> {
    const id = newId()
    const all = [...new Set(selected)]
    const listed = view.domains()
    const errors = await outbox.deleteBulk(all)
    const keys = all.filter((_, at) => errors[at] === null)
    const edits = outcome.queuedFor(keys)
    const isRemoved = new Set(keys)
    for (const { website } of edits) isRemoved.delete(website)
    undos.keep({ id, kind: 'delete', keys }, listed.ok ? listed.value.filter(({ key }) => isRemoved.has(key)) : [])
    // A website whose create was never sent is removed without an edit. Only `undos` can restore it, until the app quits.
    outcome.begin({ id, kind: 'delete', keys: edits.map(({ website }) => website) }, edits)
    const refused = all.flatMap((key, at) => {
      const error = errors[at] ?? null
      return error === null ? [] : [{ key, error, domain: view.get(key)?.domain ?? '' }]
    })
    return { bulkChange: id, changed: keys.length, same: 0, refused, unknown: [] }
  }

  function websites(page: number): ReturnType<Bulk['websites']> {
    const all = [...outcome.results()].map(([key, one]) => ({ key, ...one }))
    const sorted = resultOrder.flatMap((result) => all.filter(({ is }) => is === result))
    const websites = sorted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((one) => {
      const edits = one.is === 'parked' ? outbox.list({ website: one.key, page: 1, per_page: 1 }) : null
      return { ...one, edit: (edits?.ok && edits.value.edits[0]) || null, exists: view.get(one.key) !== null }
    })
    return { websites, pages: Math.max(1, Math.ceil(all.length / PAGE_SIZE)) }
  }

  return {
    ...{ preview, compare, unseenLists, apply, applyTable, create, delete: deleteAll, undo: undos.undo, websites },
    forgetPreview: () => void (lastShown = new Map()),
  }
}

const nullIfBeingDeleted = (website: WebsiteView | null): WebsiteView | null =>
  website === null || isBeingDeleted(website) ? null : website

const toRefusedRows = (row: number, domain: string, error: AppError | null): TableResult['refused'] =>
  error === null ? [] : [{ row, domain, error }]

const successfulValues = (made: readonly Result<string>[]): string[] =>
  made.flatMap((one) => (one.ok ? [one.value] : []))
