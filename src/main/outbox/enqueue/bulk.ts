import { fail, ok, type AppError, type Result } from '../../../shared/result.ts'
import { growingSlices } from '../../../shared/slices.ts'
import type { WebsiteDraft } from '../../../shared/website.ts'
import type { Outbox, WebsiteUpdate } from '../contract.ts'
import { namesIn, pickNamed } from '../model/compare.ts'
import type { Edit } from '../model/edit.ts'
import type { OutboxStore } from '../ports.ts'
import type { Holds } from '../schedule/holds.ts'
import {
  isDomainTaken,
  queueCreate,
  queueDelete,
  type NewWebsite,
  type EditStamp,
  type UpdateInput,
} from './commands.ts'
import { parkIfPasswordMissing, undoCreateOrDelete, undoUnsentSave, type UndoResult } from './undo.ts'

export interface BulkPorts {
  store: OutboxStore
  holds: Holds
  /** Starts the time in which a delete can be undone, if the website's last edit is one. */
  startUndoTime: (website: string) => void
  stamp: () => EditStamp
  /** Returns the key for a website that is created again. */
  newKey: () => string
  checkAndSeal: (draft: WebsiteDraft) => Promise<Result<NewWebsite>>
  sealUpdate: (update: WebsiteUpdate) => Promise<Result<UpdateInput>>
  /** Must be called within `store.write`. */
  queueUpdate: (input: UpdateInput) => Result<void>
  /** Lets other work of the event loop run. */
  pause: () => Promise<void>
  onChange: (websites: string[]) => void
}

type BulkCommands = Pick<Outbox, 'writeBulk' | 'takenDomains' | 'deleteBulk' | 'takeBackBulk'>

/** Returns the commands of the outbox that write several websites at once. */
export function bulkCommands(ports: BulkPorts): BulkCommands {
  const { store, holds, startUndoTime, stamp, newKey, checkAndSeal, sealUpdate, queueUpdate, pause, onChange } = ports
  /** Creates that a bulk delete has removed because they were never sent, by website. Undo restores them. */
  const removedCreates = new Map<string, { domain: string; create: Edit }>()

  /** Queues a delete. A create that is removed instead is kept for Undo. */
  function deleteOrRemove(key: string): Result<string | null> {
    const [domain, create] = [store.website(key)?.domain, store.editsOf(key)[0]]
    const deleted = queueDelete(store, key, stamp())
    const isRemoved = deleted.ok && deleted.value === null
    if (isRemoved && domain !== undefined && create !== undefined) removedCreates.set(key, { domain, create })
    else removedCreates.delete(key)
    return deleted
  }

  /** Returns null if no bulk delete has removed this website. Errors: `domain-listed`. */
  function restoreRemoved(website: string): Result<UndoResult> | null {
    const removed = removedCreates.get(website)
    if (removed === undefined || store.website(website) !== null) return null
    if (isDomainTaken(store, removed.domain)) return fail('domain-listed')
    store.addWebsite(website, removed.domain)
    store.addEdit(removed.create)
    return ok({ outcome: 'undone', website, edit: null })
  }

  /** Lets other work run between the slices. Returns the results in the order of `all`. */
  async function inSlices<A, T>(
    all: readonly A[],
    work: (slice: readonly A[]) => Result<T>[] | Promise<Result<T>[]>,
  ): Promise<Result<T>[]> {
    const results: Result<T>[] = []
    for (const slice of growingSlices(all)) {
      if (results.length > 0) await pause()
      results.push(...(await work(slice)))
    }
    return results
  }

  /** Uses one transaction, so that a disk error fails the whole slice. */
  function writeSlice<A, T>(slice: readonly A[], work: (input: A) => Result<T>): Result<T>[] {
    const results = store.write(() => ok(slice.map(work)))
    return results.ok ? results.value : slice.map(() => results)
  }

  /** Queues an update. If it undoes a save that was never sent, the save is removed from its edit instead of being reversed. */
  function queueOrUndo(input: UpdateInput): Result<void> {
    const { key, undoneSave } = input
    const undone = undoneSave === undefined ? [] : undoUnsentSave(store, key, undoneSave, stamp())
    const left = namesIn(input.settings).filter((name) => !undone.includes(name))
    if (undoneSave !== undefined && left.length === 0) return ok(undefined)
    const queued = queueUpdate({ ...input, settings: pickNamed(input.settings, left) })
    if (queued.ok && input.undone !== undefined) parkIfPasswordMissing(store, key)
    return queued
  }

  function notify(websites: string[]): void {
    if (websites.length > 0) onChange(websites)
  }

  return {
    async writeBulk({ drafts = [], updates = [] }) {
      // One after another, so that the keychain is asked for one password at a time.
      const checked: Result<NewWebsite>[] = []
      for (const draft of drafts) checked.push(await checkAndSeal(draft))
      const inputs: Result<UpdateInput>[] = []
      for (const update of updates) inputs.push(await sealUpdate(update))
      const written = store.write(() => {
        const created = checked.map((one) => (one.ok ? queueCreate(store, one.value, stamp()) : one))
        const updated = inputs.map((one) => (one.ok ? queueOrUndo(one.value) : one))
        return ok({ created, updated: updated.map(errorOf) })
      })
      if (!written.ok) return written
      const { created, updated } = written.value
      notify([...valuesOf(created), ...updates.flatMap(({ key }, at) => (updated[at] === null ? [key] : []))])
      return written
    },
    async takenDomains(domains) {
      const found = await inSlices(domains, (slice) => [
        store.read(() => ok(slice.filter((domain) => isDomainTaken(store, domain)))),
      ])
      const failed = found.find((one) => !one.ok)
      return failed ?? ok(valuesOf(found).flat())
    },
    async deleteBulk(keys) {
      const queued: string[] = []
      const results = await inSlices(keys, (slice) => {
        const ids = writeSlice(slice, (key) =>
          hasUnparkedDelete(store, key) ? fail('website-gone') : deleteOrRemove(key),
        )
        queued.push(...valuesOf(ids).filter((id) => id !== null))
        // Restart the Undo time of earlier slices too, so that Undo covers all deletes of this call.
        for (const id of queued) holds.startUndoTime(id)
        notify(slice.filter((_, at) => ids[at]?.ok))
        return ids
      })
      return results.map(errorOf)
    },
    async takeBackBulk(kind, keys, agreed = false) {
      const results = await inSlices(keys, (slice) => {
        const undone = writeSlice(
          slice,
          (website) =>
            (kind === 'delete' ? restoreRemoved(website) : null) ??
            undoCreateOrDelete(store, website, kind, { agreed, key: newKey(), stamp: stamp() }),
        )
        const done = valuesOf(undone).filter(({ outcome }) => outcome !== 'asks')
        for (const { edit, website } of done) {
          if (edit !== null) holds.forget(edit)
          startUndoTime(website)
        }
        notify(done.map(({ website }) => website))
        return undone
      })
      return results.map((one) => (one.ok ? ok(one.value.outcome) : one))
    },
  }
}

/** Such a delete belongs to an earlier command, which has an undo of its own. */
function hasUnparkedDelete(store: OutboxStore, key: string): boolean {
  const last = store.editsOf(key).at(-1)
  return last?.kind === 'delete' && last.standing.state !== 'parked'
}

const valuesOf = <T>(results: readonly Result<T>[]): T[] => results.flatMap((one) => (one.ok ? [one.value] : []))

const errorOf = (result: Result<unknown>): AppError | null => (result.ok ? null : result.error)
