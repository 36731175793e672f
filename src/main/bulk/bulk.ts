import {
  MAX_NAMED_WEBSITES,
  type BulkUpdate,
  type BulkPreview,
  type BulkResult,
  type BulkRow,
  type BulkPatch,
} from '../../shared/bulk.ts'
import { isList, lacksPassword, listNames, type ListName } from '../../shared/fields.ts'
import { growingSlices } from '../../shared/slices.ts'
import { fail, ok, type AppError, type Result } from '../../shared/result.ts'
import {
  fieldNames,
  PRIVACY,
  type FieldName,
  type SettingName,
  type WebsiteSettings,
  type WebsiteView,
} from '../../shared/website.ts'
import { meansSame, namesIn, pickNamed } from '../outbox/model/compare.ts'
import { mergeLists } from '../outbox/model/merge-lines.ts'
import type { Outbox } from '../outbox/contract.ts'
import type { TableAddition, TableChange, TableResult } from '../../shared/table.ts'
import type { View } from '../replica/view.ts'
import type { BulkOutcome } from './outcome.ts'
import type { QueuedEdit, Step } from './ports.ts'
import { changesFor } from './changes.ts'
import { takenBack, type Undone } from './taken-back.ts'

/** Number of websites on a page of a preview. */
const PAGE = 50
/** Maximum number of bulk updates and imported tables that can be undone. The oldest ones beyond it are forgotten. */
const MAX_UNDOABLE = 20

/**
 * Changes many websites at once: with the same change for each, or with the rows of an imported table. Each website gets an edit of
 * its own (docs/sync.md#sending-order).
 */
export interface Bulk {
  /** Returns what a change would do to the websites, without queuing anything. `page` counts from 1. */
  preview(keys: readonly string[], change: BulkPatch, page: number): Promise<BulkPreview>
  /** Returns the lists that the service shows for none of the websites. Such a list can only be replaced as a whole. */
  unseenLists(keys: readonly string[]): Promise<ListName[]>
  /**
   * Queues an edit for each website that differs, and returns when they are on disk. Errors (`disk-full`, `keychain-*`) are
   * reported for each website. `onProgress` is called with the number of websites that are done, if they don't fit into one
   * slice.
   */
  apply(
    keys: readonly string[],
    change: BulkUpdate,
    onProgress?: (done: number, total: number) => void,
  ): Promise<BulkResult>
  /**
   * Queues an imported table, the changes of each website and the new websites, in one transaction with one undo.
   * Websites that were changed or deleted since the comparison are merged or reported as refused. Errors: `disk-full`, `storage`; then
   * nothing is queued. `local`: the number of websites whose tags or notes the same undo takes back.
   */
  applyTable(table: {
    changes: readonly TableChange[]
    additions: readonly TableAddition[]
    local?: number
  }): Promise<Result<TableResult>>
  /**
   * Undoes a bulk change, except for values that were changed since, and names the websites that it leaves. `agreed` is for
   * websites of an imported table that were created on the service, as for `BulkChanges.undo`. The last 20 bulk changes can be
   * undone while the app runs; after a restart, only the last one, and only if it was small enough to be stored. Errors:
   * `edit-gone`.
   */
  undo(bulkChange: string, agreed?: boolean): Promise<Result<Undone>>
}

export interface BulkPorts {
  view: Pick<View, 'get'>
  outbox: Pick<Outbox, 'updateBulk' | 'writeBulk' | 'takeBackBulk'>
  outcome: Pick<BulkOutcome, 'queuedFor' | 'begin' | 'bulkUndo' | 'takeBack' | 'results'>
  newId: () => string
  /** Lets other work run. */
  pause: () => Promise<void>
}

/** The data for undo: the values of the changed websites, and the keys of the created ones. */
interface Undoable {
  steps: Map<string, Step>
  created: readonly string[]
}

type WebsiteUpdate = Parameters<Outbox['updateBulk']>[0][number]
/** The changes of one website, or null if it stays as it is. */
type Judged = Result<Omit<WebsiteUpdate, 'key'> | null>

export function createBulk({ view, outbox, outcome, newId, pause }: BulkPorts): Bulk {
  const bulkChanges = new Map<string, Undoable>()

  async function preview(keys: readonly string[], change: BulkPatch, page: number): Promise<BulkPreview> {
    const rows: BulkRow[] = []
    const counts = { changing: 0, same: 0, refused: 0, unlocked: 0 }
    const asksForPassword = change.privacy === PRIVACY.password && !change.masked
    const first = (page - 1) * PAGE
    let at = 0
    for await (const slice of slices(keys)) {
      for (const key of slice) {
        const website = view.get(key)
        const judged = website === null ? fail('website-gone') : changesFor(website, change)
        if (website && asksForPassword && lacksPassword(website)) counts.unlocked += 1
        if (judged.ok && judged.value === null) {
          counts.same += 1
          continue
        }
        const error = judged.ok ? null : judged.error
        counts[error ? 'refused' : 'changing'] += 1
        if (at++ < first || rows.length === PAGE) continue
        const changes = (judged.ok && judged.value) || {}
        const [from, to] = [pickNamed(website ?? {}, namesIn(changes)), pickNamed(changes, namesIn(changes))]
        rows.push({ key, domain: website?.domain ?? '', from, to, password: !!change.masked, error })
      }
    }
    return { ...counts, rows, pages: Math.max(1, Math.ceil(at / PAGE)) }
  }

  async function unseenLists(keys: readonly string[]): Promise<ListName[]> {
    let unseen: ListName[] = [...listNames]
    for await (const slice of slices(keys)) {
      const websites = slice.flatMap((key) => view.get(key) ?? [])
      unseen = unseen.filter((name) => websites.every((website) => website[name] === undefined))
      if (unseen.length === 0) break
    }
    return unseen
  }

  async function apply(...[keys, change, onProgress]: Parameters<Bulk['apply']>): Promise<BulkResult> {
    const bulkChange = newId()
    const steps = new Map<string, Step>()
    keep(bulkChange, { steps, created: [] })
    const edits: QueuedEdit[] = []
    const judge = (key: string): Judged => {
      const website = view.get(key)
      if (website === null) return fail('website-gone')
      const judged = changesFor(website, change)
      if (!judged.ok) return judged
      if (judged.value === null) return ok(null)
      const names = namesIn(judged.value)
      const [before, after] = [pickNamed(website, names), pickNamed(judged.value, names)]
      steps.set(key, { before, after, password: !!judged.value.password })
      return ok({ changes: judged.value, seen: before })
    }
    let done = 0
    const result = await queueInSlices(bulkChange, keys, judge, (queued, slice) => {
      edits.push(...outcome.queuedFor(queued))
      done += slice
      if (done < keys.length) onProgress?.(done, keys.length)
    })
    outcome.begin({ id: bulkChange, kind: 'update', steps: [...steps], created: [] }, edits)
    return result
  }

  async function applyTable({
    changes,
    additions,
    local,
  }: Parameters<Bulk['applyTable']>[0]): Promise<Result<TableResult>> {
    const id = newId()
    const steps = new Map<string, Step>()
    for await (const slice of slices(changes)) {
      for (const { key, to } of slice) {
        const names = namesIn(to)
        steps.set(key, { before: pickNamed(view.get(key) ?? {}, names), after: to, password: false })
      }
    }
    const written = await outbox.writeBulk({
      drafts: additions.map(({ draft }) => draft),
      updates: changes.map(({ key, from, to }) => ({ key, changes: to, seen: from })),
    })
    if (!written.ok) return written
    const created = written.value.created.flatMap((one) => (one.ok ? [one.value] : []))
    const refused = [
      ...changes.flatMap(({ row, domain }, at) => refusalOf(row, domain, written.value.updated[at] ?? null)),
      ...additions.flatMap(({ row, draft }, at) => {
        const result = written.value.created[at]
        return refusalOf(row, draft.domain, result && !result.ok ? result.error : null)
      }),
    ]
    changes.forEach(({ key }, at) => written.value.updated[at] && steps.delete(key))
    keep(id, { steps, created })
    const edits = outcome.queuedFor([...steps.keys(), ...created])
    outcome.begin(
      steps.size === 0 ? { id, kind: 'create', keys: created } : { id, kind: 'update', steps: [...steps], created },
      edits,
      local,
    )
    const named = refused.slice(0, MAX_NAMED_WEBSITES)
    return ok({ bulkChange: id, changed: steps.size, created: created.length, refused: named })
  }

  async function undo(bulkChange: string, agreed?: boolean): Promise<Result<Undone>> {
    const undoable = bulkChanges.get(bulkChange) ?? storedUndoable(bulkChange)
    if (undoable === undefined) return fail('edit-gone')
    const { steps, created } = undoable
    bulkChanges.delete(bulkChange)
    const reverseSteps = new Map<string, Step>()
    const id = newId()
    keep(id, { steps: reverseSteps, created: [] })
    const unknown = new Set<FieldName>()
    const [changedSince, domainsWithUnknown]: [string[], string[]] = [[], []]
    let same = 0
    const domains = outcome.results()
    const judge = (key: string): Judged => {
      const website = view.get(key)
      const step = steps.get(key)
      if (website === null || step === undefined) return fail('website-gone')
      // Only the lines that the bulk change has added or removed are set back. Changes of other lines since then stay.
      const lists = mergeLists({ base: step.after, theirs: website, ours: step.before })
      const former = { ...step.before, ...lists }
      const unchanged = namesIn(step.after).filter((name) => isList(name) || meansSame(step.after, website, name))
      const lost: FieldName[] = unchanged.filter((name) => step.before[name] === undefined)
      if (step.password && unchanged.includes('privacy') && hadPassword(step.before)) lost.push('password')
      for (const name of lost) unknown.add(name)
      if (lost.length > 0) domainsWithUnknown.push(website.domain)
      const isSince = (name: SettingName) => !unchanged.includes(name) && !meansSame(step.before, website, name)
      const isChangedSince = namesIn(step.after).some(isSince)
      if (isChangedSince) changedSince.push(website.domain)
      const names = unchanged.filter((name) => former[name] !== undefined && !meansSame(former, website, name))
      if (names.length === 0) {
        if (!isChangedSince && lost.length === 0) same += 1
        return ok(null)
      }
      reverseSteps.set(key, { before: pickNamed(website, names), after: pickNamed(former, names), password: false })
      return ok({ changes: pickNamed(former, names), undoes: step.after })
    }
    const domainOf = (key: string): string => view.get(key)?.domain ?? domains.get(key)?.domain ?? ''
    const { result, asks } = await outcome.takeBack(
      bulkChange,
      async () => {
        let queued = 0
        const restored = await queueInSlices(id, [...steps.keys()], judge, (changed) => {
          queued += changed.filter((key) => isPending(view.get(key), reverseSteps.get(key))).length
        })
        const outcomes =
          created.length === 0 || agreed === false ? [] : await outbox.takeBackBulk('create', created, agreed)
        const { result, asks } = takenBack('create', created, outcomes, domainOf)
        const refused = [...restored.refused.map((one) => ({ ...one, domain: domainOf(one.key) })), ...result.refused]
        const counts = { changed: restored.changed + result.changed, queued: queued + result.queued, same }
        return { result: { ...restored, ...result, ...counts, refused: refused.slice(0, MAX_NAMED_WEBSITES) }, asks }
      },
      ({ asks }) => (asks.length > 0 ? { id: bulkChange, kind: 'update', steps: [], created: asks } : null),
    )
    if (asks.length > 0) keep(bulkChange, { steps: new Map(), created: asks })
    const kept = (agreed === false ? created : asks).map(domainOf)
    const fields = fieldNames.filter((name) => unknown.has(name))
    const named = { changedSince, domainsWithUnknown: domainsWithUnknown.slice(0, MAX_NAMED_WEBSITES) }
    return ok({ ...result, ...named, unknown: fields, kept })
  }

  /**
   * Queues the edits slice by slice. `changes` returns null for a website that stays as it is. `onQueued` is called after each
   * slice, because its edits may be sent while later ones are being queued, with the websites that have an edit now and the size
   * of the slice.
   */
  async function queueInSlices(
    bulkChange: string,
    keys: readonly string[],
    changes: (key: string) => Judged,
    onQueued: (queued: string[], slice: number) => void = () => undefined,
  ): Promise<BulkResult> {
    const result: BulkResult = { bulkChange, changed: 0, same: 0, refused: [], unknown: [] }
    /** Drops a website from what undoes the bulk change, and names it as refused, up to {@link MAX_NAMED_WEBSITES}. */
    const refuse = (key: string, error: AppError): void => {
      bulkChanges.get(bulkChange)?.steps.delete(key)
      if (result.refused.length === MAX_NAMED_WEBSITES) return
      result.refused.push({ key, domain: view.get(key)?.domain ?? '', error })
    }
    for await (const slice of slices(keys)) {
      const updates: WebsiteUpdate[] = []
      for (const key of slice) {
        const change = changes(key)
        if (!change.ok) refuse(key, change.error)
        else if (change.value === null) result.same += 1
        else updates.push({ key, ...change.value })
      }
      const errors = await outbox.updateBulk(updates)
      const queued = updates.flatMap(({ key }, at) => (errors[at] === null ? [key] : []))
      onQueued(queued, slice.length)
      updates.forEach(({ key }, at) => {
        const error = errors[at] ?? null
        if (error === null) result.changed += 1
        else refuse(key, error)
      })
    }
    return result
  }

  /** Yields the given items in slices, each item once, and lets other work run between two slices. */
  async function* slices<T>(keys: readonly T[]): AsyncGenerator<readonly T[]> {
    let isFirst = true
    for (const slice of growingSlices([...new Set(keys)])) {
      if (!isFirst) await pause()
      isFirst = false
      yield slice
    }
  }

  /** Returns what undoes a bulk change that was made before a restart, or undefined if that is not stored. */
  function storedUndoable(bulkChange: string): Undoable | undefined {
    const way = outcome.bulkUndo(bulkChange)
    return way?.kind === 'update' ? { steps: new Map(way.steps), created: way.created } : undefined
  }

  /** Remembers what undoes a bulk change, and forgets the oldest one beyond {@link MAX_UNDOABLE}. */
  function keep(bulkChange: string, undoable: Undoable): void {
    bulkChanges.set(bulkChange, undoable)
    const [oldest] = bulkChanges.keys()
    if (bulkChanges.size > MAX_UNDOABLE && oldest !== undefined) bulkChanges.delete(oldest)
  }

  return { preview, unseenLists, apply, applyTable, undo }
}

/** Returns a list with the refused row, or an empty list if there is no error. */
const refusalOf = (row: number, domain: string, error: AppError | null): TableResult['refused'] =>
  error === null ? [] : [{ row, domain, error }]

/**
 * True if the former value of a field that was set back still has to be sent. False for a website that the service has not
 * confirmed yet: all of its fields are pending, whether they were set back or not.
 */
const isPending = (website: WebsiteView | null, reverse: Step | undefined): boolean =>
  website !== null &&
  website.id !== null &&
  namesIn(reverse?.after ?? {}).some((name) => website.pending.includes(name))

/** True if the website had a password, or may have had one because its privacy was unknown. */
const hadPassword = ({ privacy = PRIVACY.password }: Partial<WebsiteSettings>): boolean => privacy === PRIVACY.password
