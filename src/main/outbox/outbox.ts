import { fail, ok, type Result } from '../../shared/result.ts'
import { checkDraft, tidyLines } from '../../shared/validate.ts'
import { listNames } from '../../shared/fields.ts'
import type { UndoableSave } from '../../shared/edit.ts'
import type { WebsiteChanges, WebsiteDraft, WebsiteSettings } from '../../shared/website.ts'
import { createAfterCommit } from './after-commit.ts'
import {
  acceptShownDomain,
  discardEdit,
  queueCreate,
  queueDelete,
  queueUpdate,
  type NewWebsite,
  type EditStamp,
  type UpdateInput,
} from './enqueue/commands.ts'
import { correctCreate } from './enqueue/correct.ts'
import { pickSettings } from './model/compare.ts'
import type { Outbox, OutboxChangeEvent, OutboxCounts, WebsiteUpdate } from './contract.ts'
import { releasedByUser, type Edit } from './model/edit.ts'
import { exportEdits } from './transfer/export.ts'
import { importEdits, summarizeImport } from './transfer/import.ts'
import { bulkCommands } from './enqueue/bulk.ts'
import type { OutboxPorts } from './ports.ts'
import { readOr } from './read-or.ts'
import { isResendable, presentEdit } from './present.ts'
import { presentActivity } from './present-activity.ts'
import { createDeliveryProgress } from './schedule/delivery-progress.ts'
import { createReplay } from './schedule/replay.ts'
import { readTheirs, updateTheirs } from './resolve/read-theirs.ts'
import { resolveWaysOf } from './resolve/conflict.ts'
import { resolveEdit } from './resolve/resolve.ts'
import { revertHistoryRecord } from './enqueue/revert.ts'
import { createEditStatusOf } from './schedule/edit-status.ts'
import { undo } from './enqueue/undo.ts'
import { findLastSave } from './last-save.ts'
import { versionAt } from './version.ts'
import { canLateWriteStillChange } from './late-writes/look-for-late-writes.ts'
import { createHolds } from './schedule/holds.ts'
import { normalizeDomain } from '../../shared/domain.ts'

/** Sends nothing before {@link Outbox.start}. */
export function createOutbox(ports: OutboxPorts): Outbox {
  const { store, sealer, clock, random, connectivity, identity } = ports
  const pause = () => new Promise<void>((resolve) => void clock.after(0, resolve))
  const listeners = new Set<(change: OutboxChangeEvent) => void>()
  const holds = createHolds(clock, random)
  const progress = createDeliveryProgress(ports, holds)
  const replay = createReplay(ports, holds, progress, changed)
  const statusOf = createEditStatusOf(ports, holds)
  /** Call it within `store.write`, because it takes the next place among all saves. */
  const stamp = (): EditStamp => ({ id: random.id(), changedAt: clock.wall(), order: store.nextOrder(clock.wall()) })

  let cancelInspection = () => {}
  let counted: OutboxCounts = { waiting: 0, parked: 0 }
  /** Counts the edits and updates the progress of the delivery. Returns the last known counts if the disk fails. */
  function counts(): OutboxCounts {
    counted = readOr(store, counted, () => store.counts())
    progress.update(counted.waiting)
    return counted
  }

  /** Checks in slices whether the stored edits can be read, because thousands at once would block the process. */
  function inspect(): void {
    const more = store.read(() => ok(store.inspect()))
    if (!more.ok) return
    if (more.value) cancelInspection = clock.after(0, inspect)
    else changed(null)
  }

  /** `websites` and `edits`: as in {@link OutboxChangeEvent}. */
  function changed(websites: string[] | null, edits = websites !== null): void {
    counts()
    for (const listener of listeners) listener({ websites, edits })
  }

  const afterCommit = createAfterCommit(clock, (websites) => {
    changed(websites, true)
    connectivity.setWaiting('outbox', counted.waiting > 0)
    replay.wake()
  })

  function withEffects<T>(result: Result<T>, website: string): Result<T> {
    if (result.ok) afterCommit.schedule([website])
    return result
  }

  /** Does nothing unless the last edit is a delete that was never sent. */
  function startUndoTime(website: string): void {
    const last = readOr(store, undefined, () => store.editsOf(website).at(-1))
    if (last?.kind === 'delete' && last.attempts === 0) holds.startUndoTime(last.id)
  }

  function afterReverse(website: string): Result<void> {
    startUndoTime(website)
    return withEffects(ok(undefined), website)
  }

  const sealed = async (password: string | undefined, domain: string | null): Promise<Result<Uint8Array | null>> =>
    password && domain !== null ? sealer.seal(password, domain) : ok(null)

  const domainOf = (website: string | undefined): string | null =>
    website === undefined ? null : readOr(store, null, () => store.website(website)?.domain ?? null)

  /** Encrypts the password of a create again, because its domain changes. Null if there is nothing to encrypt. */
  async function resealed(key: string, domain: string): Promise<Result<Uint8Array | null>> {
    const waiting = readOr(store, undefined, () => store.editsOf(key)[0]?.sealed)
    const before = domainOf(key)
    if (before === null || before === domain || !waiting || waiting.length === 0) return ok(null)
    const password = await sealer.unseal(waiting, before)
    if (password.ok) return sealer.seal(password.value, domain)
    return password.error.code === 'password-missing' ? ok(null) : password
  }

  async function checkAndSeal(draft: WebsiteDraft): Promise<Result<NewWebsite>> {
    const fields = checkDraft(draft)
    const domain = normalizeDomain(draft.domain)
    if (domain === null || Object.keys(fields).length > 0) return fail('invalid-input', { fields })
    const secret = await sealed(draft.password, domain)
    if (!secret.ok) return secret
    const settings = { ...tidySettings(draft) } as WebsiteSettings
    return ok({ key: random.id(), domain, settings, sealed: secret.value })
  }

  async function sealUpdate({ key, changes, seen = {}, ...rest }: WebsiteUpdate): Promise<Result<UpdateInput>> {
    const { password } = changes
    const secret = password ? await sealed(password, domainOf(key)) : ok(null)
    return secret.ok
      ? ok({ ...rest, key, settings: tidySettings(changes), password, sealed: secret.value, seen })
      : secret
  }

  /** Queues an update. Our own updates that were acknowledged since `seenAt` count as seen. Call it within `store.write`. */
  const queue = (input: UpdateInput): Result<void> =>
    queueUpdate(store, { ...input, seenAt: replay.latestTime(input.key, input.seenAt) }, stamp())

  function sendEditNow(id: string): Result<void> {
    const freed = store.write(() => {
      const edit = store.edit(id)
      if (edit === null) return fail('edit-gone')
      if (isResendable(edit)) store.saveEdit(releasedByUser(edit))
      return ok(edit.website)
    })
    if (!freed.ok) return freed
    holds.release(id)
    // A create that may have been applied waits as long as the delete behind it, so its hold ends too.
    const first = readOr(store, undefined, () => store.editsOf(freed.value)[0])
    if (first?.kind === 'create') holds.release(first.id)
    changed([freed.value])
    return ok(undefined)
  }

  function sendAllNow(): Result<void> {
    const released = store.read(() => {
      for (const edit of store.firstEdits(0)) holds.release(edit.id)
      return ok(undefined)
    })
    if (released.ok) changed(null)
    return released
  }

  const afterDiscard = (result: Result<Edit>): Result<void> => {
    if (!result.ok) return result
    holds.forget(result.value.id)
    return afterReverse(result.value.website)
  }

  return {
    async create(draft) {
      const checked = await checkAndSeal(draft)
      if (!checked.ok) return checked
      const created = store.write(() => queueCreate(store, checked.value, stamp()))
      return withEffects(created, checked.value.key)
    },

    async correct(key, draft, seen) {
      // A missing password is no error here, because the queued create may have one: `correctCreate` checks that.
      const fields = checkDraft(draft, true)
      const domain = normalizeDomain(draft.domain)
      if (domain === null || Object.keys(fields).length > 0) return fail('invalid-input', { fields })
      const secret = draft.password ? await sealed(draft.password, domain) : await resealed(key, domain)
      if (!secret.ok) return secret
      const settings = { ...tidySettings(draft) } as WebsiteSettings
      const input = { key, domain, settings, password: draft.password, sealed: secret.value, seen }
      const corrected = store.write(() => correctCreate(store, input, stamp()))
      return withEffects(corrected, key)
    },

    async update(key, changes, seen, seenAt) {
      const input = await sealUpdate({ key, changes, seen, seenAt })
      if (!input.ok) return input
      const queued = store.write(() => {
        acceptShownDomain(store, key)
        return queue(input.value)
      })
      return withEffects(queued, key)
    },

    async delete(key) {
      const queued = store.write(() => queueDelete(store, key, stamp()))
      if (!queued.ok) return queued
      if (queued.value !== null) holds.startUndoTime(queued.value)
      return withEffects(ok(undefined), key)
    },

    ...bulkCommands({
      ...{ store, holds, startUndoTime, stamp, checkAndSeal, sealUpdate, queueUpdate: queue, pause },
      newKey: random.id,
      onChange: afterCommit.schedule,
    }),

    undo(id, agreed = false, whole) {
      const undone = store.write(() => undo(store, id, { agreed, whole, key: random.id(), stamp: stamp() }))
      if (!undone.ok) return undone
      const { outcome, website, edit } = undone.value
      if (outcome === 'asks') return ok(outcome)
      if (edit !== null) holds.forget(edit)
      afterReverse(website)
      return ok(outcome)
    },
    lastOrder: () => readOr(store, 0, () => store.lastOrder()),
    lastSave: (website) =>
      store.read((): Result<UndoableSave | null> => {
        const last = findLastSave(store, website)
        if (last === null) return ok(null)
        const { order } = last
        if ('entry' in last) return ok({ order, entry: presentActivity(store, [last.entry])[0]?.edit })
        const shown = store.website(last.edit.website)
        return ok(shown === null ? null : { order, edit: presentEdit(ports, last.edit, shown, statusOf) })
      }),
    discard: (id) => afterDiscard(store.write(() => discardEdit(store, id, stamp()))),

    sendNow(id) {
      const sent = id === undefined ? sendAllNow() : sendEditNow(id)
      if (!sent.ok) return sent
      connectivity.retryNow()
      replay.wake()
      return ok(undefined)
    },

    list({ page, per_page, website: key }) {
      const from = (page - 1) * per_page
      return store.read(() => {
        const found =
          key === undefined ? store.editsPage(from, per_page) : store.editsOf(key).slice(from, from + per_page)
        const edits = found.flatMap((edit) => {
          const website = store.website(edit.website)
          return website === null ? [] : [presentEdit(ports, edit, website, statusOf)]
        })
        const { waiting, parked } = store.counts()
        return ok({ edits, total: waiting + parked, parked })
      })
    },

    async readAgain(id) {
      const read = await readTheirs(ports, id)
      if (read === null) return ok(undefined)
      const shown = store.write(() => ok(updateTheirs(store, id, read, clock.wall()) ? store.edit(id) : null))
      if (!shown.ok) return shown
      if (shown.value !== null) afterCommit.schedule([shown.value.website])
      return ok(undefined)
    },
    async resolve(id, resolution) {
      const asked = store.read(() => {
        const edit = store.edit(id)
        return ok(edit && { website: edit.website, ways: resolveWaysOf(store, edit) })
      })
      if (!asked.ok) return asked
      const { website, ways = [] } = asked.value ?? {}
      const password = resolution.way === 'recreate' ? resolution.password : undefined
      const secret = await sealed(password, domainOf(website))
      if (!secret.ok) return secret
      const read = await readTheirs(ports, id)
      const input = { resolution, ways, sealed: secret.value, read }
      const decided = store.write(() => resolveEdit(store, id, input, stamp()))
      if (!decided.ok) return decided
      holds.forget(id)
      return afterReverse(decided.value)
    },
    activity: (query) =>
      store.read(() => {
        const { records, next } = store.activity(query)
        return ok({ entries: presentActivity(store, records), next })
      }),
    activityRecords: (query) => store.read(() => ok(store.activity(query))),
    version: (website, n, side) => store.read(() => versionAt(store, website, n, side)),
    async revert(id, action, password) {
      const domain = readOr(store, null, () => store.historyRecord(id)?.domain ?? null)
      const secret = await sealed(password, domain)
      if (!secret.ok) return secret
      const input = { action, password, sealed: secret.value, key: random.id() }
      const queued = store.write(() => revertHistoryRecord(store, id, input, stamp()))
      return queued.ok ? afterReverse(queued.value) : queued
    },
    exportQueue: () => exportEdits(store, identity, pause),
    async summarizeImport(text, onProgress = () => {}) {
      const file = await ports.readImport(text, onProgress)
      return file.ok ? summarizeImport(store, identity, file.value) : file
    },
    async importQueue(text, onProgress = () => {}) {
      const file = await ports.readImport(text, onProgress)
      if (!file.ok) return file
      const taken = importEdits(store, () => random.id(), identity, file.value)
      if (!taken.ok) return taken
      taken.value.deletes.forEach(holds.startUndoTime)
      afterCommit.schedule(null)
      return ok(taken.value.imported)
    },
    delivery() {
      counts()
      return progress.state()
    },
    sentCount: progress.sent,
    counts,
    isUnconfirmed: () => readOr(store, false, () => canLateWriteStillChange(store)),
    failure: () => replay.failure(),
    statusOf,
    start() {
      if (!store.readOnly) store.write(() => ok(store.markInterruptedInDoubt()))
      inspect()
      replay.start()
    },
    stop() {
      cancelInspection()
      afterCommit.stop()
      return replay.stop()
    },
    atRest: () => replay.atRest(),
    wake() {
      holds.lift()
      replay.wake()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Trims the lines of lists as they will be sent. */
function tidySettings(settings: WebsiteChanges): Partial<WebsiteSettings> {
  const tidy = pickSettings(settings)
  for (const name of listNames) {
    if (tidy[name] !== undefined) tidy[name] = tidyLines(tidy[name])
  }
  return tidy
}
