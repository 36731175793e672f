import type { BulkChange } from '../../../shared/bulk-change.ts'
import { shortened } from '../../../shared/display/domain.ts'
import type { EditView, HistoryEntry, Resolution, ResolveWay } from '../../../shared/edit.ts'
import type { AppError } from '../../../shared/result.ts'
import type { WebsiteView } from '../../../shared/website.ts'
import { undoToast } from '../shared/edit-text.ts'
import { errorText } from '../../../messages/errors.ts'
import { revertToast, cannotUndoToast, type Revert } from '../shared/result-text.ts'
import { undoBulkChange } from '../shared/undo-bulk-change.ts'
import type { AppState } from '../../../shared/state.ts'
import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { PendingList } from './pending-list.svelte.ts'
import type { Reverting } from '../shared/reverting.svelte.ts'
import type { Toasts } from '../../app/toasts.svelte.ts'
import type { Screen } from '../../../shared/destination.ts'
import { m } from '../../../messages/index.ts'

/** The toasts that confirm how the user resolved a parked edit. */
const resolved: Record<ResolveWay, (inputs: { domain: string }) => string> = {
  units: m.resolve_done_units,
  adopt: m.resolve_done_adopt,
  recreate: m.resolve_done_recreate,
  delete: m.resolve_done_delete,
  keep: m.resolve_done_keep,
}

interface App {
  readonly appState: AppState | null
  readonly bridge: SitewardBridge
  readonly editor: { confirmDelete(): Promise<boolean> }
  readonly pending: PendingList
  readonly reverting: Reverting
  readonly tags: { reload(): Promise<void> }
  readonly toasts: Toasts
  screen: Screen
  showEdits(website: Pick<WebsiteView, 'key' | 'domain'>): void
}

/** Number of history entries that are searched for the last one that isn't an undo itself. */
const SEARCHED = 50

/** The user's decisions about edits on any screen, and the toasts that confirm them. */
export class Decisions {
  readonly #app: App
  /** True while the last change is being undone, so that a second key press does not undo it again. */
  #undoing = false

  constructor(app: App) {
    this.#app = app
  }

  /** Deletes the website that was asked about, and offers to undo it. */
  async deleteWebsite(website: WebsiteView): Promise<void> {
    if (!(await this.#app.editor.confirmDelete())) return
    const edit = await this.#deleteOf(website.key)
    if (!edit) return this.#app.toasts.show(m.pending_taken_back({ domain: shortened(website.domain) }))
    this.#app.toasts.show(m.pending_delete_done({ domain: shortened(website.domain) }), {
      label: m.common_undo(),
      edit: edit.id,
      run: () => this.undo(edit),
    })
  }

  /** Undoes the delete of a website, from its editor. */
  async undoDelete(website: string): Promise<void> {
    const edit = await this.#deleteOf(website)
    if (edit) await this.undo(edit)
    else this.#app.toasts.show(errorText({ code: 'edit-gone', message: '' }).problem)
  }

  /**
   * Undoes the last action: the one that a toast still offers to undo, the last bulk change, the latest pending change, or the change
   * that was sent last.
   */
  async undoLast(): Promise<void> {
    if (this.#undoing) return
    this.#undoing = true
    await this.#undoLast()
    this.#undoing = false
  }

  async #undoLast(): Promise<void> {
    const { toasts } = this.#app
    const offer = toasts.list.findLast(({ action }) => action?.edit !== undefined)
    if (offer) {
      toasts.drop(offer.id)
      return offer.action?.run()
    }
    const bulk = toasts.takeBulkUndo()
    if (bulk) return bulk.run()
    const [edit, bulkChange] = [await this.#latestEdit(), this.#app.appState?.bulkChange]
    if (bulkChange?.canUndo && (await this.#isLast(bulkChange, edit))) return undoBulkChange(this.#app, bulkChange)
    const entry = await this.#lastEntry()
    if (edit) await this.#undoEdit(edit)
    else if (entry?.can.undo) await this.revert(entry, 'undo')
    else toasts.show(entry ? cannotUndoToast(entry) : m.pending_undo_nothing())
  }

  /** True if nothing was done after a bulk change. Its own sent edits are the newest entries of the history, and are skipped. */
  async #isLast({ at, sent }: BulkChange, edit: EditView | undefined): Promise<boolean> {
    const past = await this.#app.bridge.listActivity({ results: true, offset: Math.max(0, sent - 1), limit: 2 })
    if (!past.ok || past.value.entries.length < Math.min(sent, 1)) return false
    return [edit?.changedAt, past.value.entries[Math.min(sent, 1)]?.at].every((since = 0) => since <= at)
  }

  /** Returns the latest pending edit. Edits are listed in sending order, so it is on the last page, or on the first if it is parked. */
  async #latestEdit(): Promise<EditView | undefined> {
    const per_page = 100
    const first = await this.#app.bridge.listEdits({ page: 1, per_page })
    if (!first.ok) return undefined
    const page = Math.ceil(first.value.total / per_page)
    const last = page > 1 ? await this.#app.bridge.listEdits({ page, per_page }) : first
    const edits = [...first.value.edits, ...(last.ok ? last.value.edits : [])].filter(
      ({ can, isUndo }) => can.undo && isUndo !== true,
    )
    return edits.toSorted((a, b) => a.changedAt - b.changedAt).at(-1)
  }

  /** Undoes the last save of a website, by removing it from the queue or by queuing its reverse. */
  async undoSaved(website: WebsiteView): Promise<void> {
    const waiting = await this.#app.bridge.listEdits({ page: 1, per_page: 10, website: website.key })
    const edit = waiting.ok ? waiting.value.edits.findLast(({ isUndo }) => isUndo !== true) : undefined
    if (edit) return this.#undoEdit(edit)
    const entry = await this.#lastEntry(website.key)
    if (entry?.can.undo) await this.revert(entry, 'undo')
    else this.#app.toasts.show(entry ? cannotUndoToast(entry) : errorText({ code: 'edit-gone', message: '' }).problem)
  }

  /** Resolves a parked edit. Returns the error to show at a field, or null. */
  async resolve(edit: EditView, resolution: Resolution): Promise<AppError | null> {
    const refusal = await this.#app.pending.resolve(edit.id, resolution)
    if (refusal === null) this.#app.toasts.show(resolved[resolution.way]({ domain: shortened(edit.domain) }))
    return refusal
  }

  async deleteAnyway(): Promise<void> {
    const edit = this.#app.pending.deletingAnyway
    this.#app.pending.deletingAnyway = null
    if (edit) await this.resolve(edit, { way: 'delete' })
  }

  /** Queues the reverse of a sent change, or asks first. */
  async revert(entry: HistoryEntry, action: Revert): Promise<void> {
    if (await this.#app.reverting.revert(entry, action)) this.#app.toasts.show(revertToast(entry, action))
  }

  async agreeToRevert(): Promise<void> {
    const question = this.#app.reverting.asking
    if (question && (await this.#app.reverting.agree()))
      this.#app.toasts.show(revertToast(question.entry, question.action))
  }

  /** Undoes the last change that went into an edit, wherever the user asked for it. */
  async undo(edit: Pick<EditView, 'id' | 'domain'>): Promise<void> {
    this.#app.toasts.dropAbout(edit.id)
    if (this.#app.screen === 'pending') await this.#app.pending.undo(edit)
    else await this.#undoAndNotify(edit)
  }

  /** The user agrees to the undo that deletes a website. */
  async agreeToUndo(): Promise<void> {
    const edit = this.#app.pending.undoing
    this.#app.pending.undoing = null
    if (edit) await this.#undoAndNotify(edit, true)
  }

  /** Undoes the last change that went into an edit, or leads to the parked edit that the user has to decide about first. */
  async #undoEdit(edit: EditView): Promise<void> {
    if (edit.state !== 'parked' || edit.can.undo) return this.#undoAndNotify(edit)
    const run = () => Promise.resolve(this.#app.showEdits({ key: edit.website, domain: edit.domain }))
    this.#app.toasts.show(m.undo_parked({ domain: shortened(edit.domain) }), { label: m.common_show_them(), run })
  }

  async #undoAndNotify(edit: Pick<EditView, 'id' | 'domain'>, agreed = false): Promise<void> {
    const answer = await this.#app.pending.undo(edit, agreed)
    if (!answer.ok) this.#app.toasts.show(errorText(answer.error).problem)
    else if (answer.value !== 'asks') this.#app.toasts.show(undoToast(edit, answer.value))
  }

  /** Returns the last history entry that isn't an undo itself, of one website or of all. */
  async #lastEntry(website?: string): Promise<HistoryEntry | undefined> {
    const past = await this.#app.bridge.listActivity({ results: true, limit: SEARCHED, ...(website && { website }) })
    return past.ok
      ? past.value.entries.flatMap(({ edit }) => edit ?? []).find(({ isUndo }) => isUndo !== true)
      : undefined
  }

  /** Returns the pending delete of a website. */
  async #deleteOf(website: string): Promise<EditView | undefined> {
    const answer = await this.#app.bridge.listEdits({ page: 1, per_page: 10, website })
    return answer.ok ? answer.value.edits.find((edit) => edit.kind === 'delete') : undefined
  }
}
