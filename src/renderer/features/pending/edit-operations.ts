import { shortDomain } from '../../../shared/display/domain.ts'
import type { EditView, UndoableSave, Resolution, ResolveWay, UnitChoice } from '../../../shared/edit.ts'
import { fail, type AppError } from '../../../shared/result.ts'
import type { WebsiteView } from '../../../shared/website.ts'
import { discardToast, undoToast } from '../shared/edit-text.ts'
import { adoptSendsNothing } from '../shared/resolve-text.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import { cannotUndoToast } from '../shared/result-text.ts'
import { undoBulkChange } from '../shared/undo-bulk-change.ts'
import type { PendingList, UndoableEdit } from './pending-list.svelte.ts'
import type { RevertFlow } from '../shared/reverting.svelte.ts'
import { m } from '../../../messages/index.ts'
import type { BaseApp } from '../../app/base-app.ts'

type DomainText = (inputs: { domain: string }) => string

const resolvedToasts: Record<Exclude<ResolveWay, 'adopt'>, DomainText> = {
  units: m.resolve_done_units,
  recreate: m.resolve_done_recreate,
  delete: m.resolve_done_delete,
  keep: m.resolve_done_keep,
}

/** True if there is nothing to send: the user has chosen each remote value, and no part of the edit may have been sent. */
const keepsOnlyTheirs = (
  { fields, possiblySent }: EditView,
  units: Readonly<Partial<Record<string, UnitChoice>>>,
): boolean => !possiblySent && fields.every((name) => units[name === 'password' ? 'privacy' : name] === 'theirs')

function resolvedToast(edit: EditView, resolution: Resolution): DomainText {
  const { way } = resolution
  if (way === 'units' && keepsOnlyTheirs(edit, resolution.units)) return m.pending_discarded
  if (way !== 'adopt') return resolvedToasts[way]
  if (adoptSendsNothing(edit)) return m.resolve_done_keep
  return edit.reason === 'appeared' ? m.resolve_done_appeared : m.resolve_done_adopt
}

interface App extends BaseApp {
  readonly editor: { confirmDelete(): Promise<boolean>; forgetSave(website: string): void; error: AppError | null }
  readonly pending: PendingList
  readonly reverting: RevertFlow
  readonly tags: { reload(): Promise<void> }
  showEdits(website: Pick<WebsiteView, 'key' | 'domain'>): void
}

/** Deletes websites, and undoes, resolves, discards and resends edits, from any screen. Shows the results as toasts. */
export class EditOperations {
  readonly #app: App
  /** True during an undo, so that pressing the shortcut again doesn't undo another change. */
  #undoing = false

  constructor(app: App) {
    this.#app = app
  }

  /** Deletes the website, with a toast that offers an undo. If its create was never sent, only removes it, without an undo. */
  async deleteWebsite(website: WebsiteView): Promise<void> {
    const { editor, screen, toasts } = this.#app
    if (!(await editor.confirmDelete())) {
      // The list of websites shows the error itself.
      if (screen === 'websites' || !editor.error) return
      toasts.show(fullErrorText(editor.error))
      editor.error = null
      return
    }
    const edit = await this.#deleteOf(website.key)
    if (!edit) return toasts.show(m.delete_new_done({ domain: shortDomain(website.domain) }))
    toasts.show(m.pending_delete_done({ domain: shortDomain(website.domain) }), {
      label: m.common_undo(),
      edit: edit.id,
      run: () => this.undo(edit),
    })
  }

  /** Undoes the delete of a website, even if it was sent after the Undo button was shown. */
  async undoDelete(website: string): Promise<void> {
    const edit = await this.#deleteOf(website)
    if (edit) return this.undo(edit)
    const answer = await this.#app.bridge.getLastSave({ website })
    if (answer.ok && answer.value?.entry?.kind === 'delete') return this.#undoSave(answer.value)
    this.#app.toasts.show(fullErrorText((answer.ok ? fail('edit-gone') : answer).error))
  }

  /** Undoes the latest action: a bulk change, a change of local data with an undo toast, or a save, even a sent one. */
  async undoLast(): Promise<void> {
    if (this.#undoing) return
    this.#undoing = true
    await this.#undoLast()
    this.#undoing = false
  }

  async #undoLast(): Promise<void> {
    const { bridge, toasts } = this.#app
    const answer = await bridge.getLastSave({})
    if (!answer.ok) return toasts.show(fullErrorText(answer.error))
    const last = answer.value
    const { bulkChange } = this.#app.appState ?? {}
    // `refused`: an earlier undo has left only what can't be undone.
    const undoable = bulkChange?.canUndo && bulkChange.left !== 'refused' ? bulkChange : null
    const order = Math.max(last?.order ?? 0, undoable?.order ?? 0)
    const undo = toasts.takeUndo(order)
    if (undo) return undo.run()
    if (undoable?.order === order) return undoBulkChange(this.#app, undoable)
    if (last === null) toasts.show(m.pending_undo_nothing())
    else await this.#undoSave(last)
  }

  async undoSaved({ key }: WebsiteView): Promise<void> {
    const answer = await this.#app.bridge.getLastSave({ website: key })
    if (answer.ok && answer.value !== null) return this.#undoSave(answer.value)
    const error = answer.ok ? fail('edit-gone').error : answer.error
    this.#app.toasts.show(fullErrorText(error))
  }

  /** Undoes a save, or shows why that is impossible. */
  async #undoSave({ edit, entry }: UndoableSave): Promise<void> {
    const { toasts } = this.#app
    if (edit?.can.undo) {
      toasts.dropAbout(edit.id)
      await this.#undoAndToast(edit)
    } else if (edit?.state === 'parked') this.#toastParked(edit)
    else if (edit) toasts.show(m.history_being_sent({ domain: shortDomain(edit.domain) }))
    else if (entry?.can.undo) await this.#app.reverting.revert(entry, 'undo')
    else if (entry) toasts.show(cannotUndoToast(entry))
  }

  /** Resolves a parked edit. Returns the error, or null on success. */
  async resolve(edit: EditView, resolution: Resolution): Promise<AppError | null> {
    const refusal = await this.#app.pending.resolve(edit.id, resolution)
    if (refusal !== null) return refusal
    this.#app.editor.forgetSave(edit.website)
    this.#app.toasts.show(resolvedToast(edit, resolution)({ domain: shortDomain(edit.domain) }))
    return null
  }

  /** Carries out what the user has confirmed in the open question. */
  async agree(): Promise<void> {
    const { pending } = this.#app
    const { question } = pending
    pending.question = null
    if (question?.about === 'undo') await this.#undoAndToast(question.edit, true)
    else if (question?.about === 'delete') await this.resolve(question.edit, { way: 'delete' })
    else if (question) this.#report(await pending.discard(question.edit), discardToast(question.edit))
  }

  async sendAgain({ id }: EditView): Promise<void> {
    this.#report(await this.#app.pending.sendNow(id))
  }

  /** Shows the result of an action on an edit as a toast, unless the Pending screen shows it in its list. */
  #report(refusal: AppError | null, done = ''): void {
    const { pending, screen, toasts } = this.#app
    if (screen === 'pending') return
    pending.refusal = null
    const text = refusal === null ? done : fullErrorText(refusal)
    if (text !== '') toasts.show(text)
  }

  /** Undoes the last save that is part of an edit. Shows the result as a toast, or on the Pending screen in its list. */
  async undo(edit: UndoableEdit): Promise<void> {
    const { toasts, pending, screen } = this.#app
    toasts.dropAbout(edit.id)
    if (screen !== 'pending') return this.#undoAndToast(edit)
    // The edit may have been parked since its undo was offered.
    const shown = pending.result?.edits.find(({ id }) => id === edit.id)
    if (shown?.state === 'parked' && !shown.can.undo) this.#toastParked(shown)
    else await pending.undo(edit)
  }

  async #undoAndToast(edit: UndoableEdit, agreed = false): Promise<void> {
    const answer = await this.#app.pending.undo(edit, agreed)
    if (!answer.ok) await this.#toastRefusal(edit.id, answer.error)
    else if (answer.value !== 'asks') this.#app.toasts.show(undoToast(edit, answer.value, agreed))
  }

  /** Shows why an edit can't be undone. It may have been sent or parked since the undo was offered. */
  async #toastRefusal(id: string, error: AppError): Promise<void> {
    const { bridge, toasts } = this.#app
    if (error.code !== 'edit-gone') return toasts.show(fullErrorText(error))
    const [edits, results] = await Promise.all([
      bridge.listEdits({ page: 1, per_page: 50 }),
      bridge.listActivity({ results: true, limit: 50 }),
    ])
    const parked = edits.ok ? edits.value.edits.find((one) => one.id === id && one.state === 'parked') : undefined
    const entry = results.ok ? results.value.entries.find((one) => one.edit?.id === id)?.edit : undefined
    const wasSent = entry !== undefined && !entry.isUndo && !['undone', 'discarded', 'unknown'].includes(entry.became)
    if (parked) this.#toastParked(parked)
    else toasts.show(wasSent ? cannotUndoToast(entry) : fullErrorText(error))
  }

  /** Shows that an edit can't be undone because it needs attention, with a button that opens the edits of the website. */
  #toastParked({ website, domain }: EditView): void {
    const run = () => Promise.resolve(this.#app.showEdits({ key: website, domain }))
    this.#app.toasts.show(m.undo_parked({ domain: shortDomain(domain) }), { label: m.common_show_them(), run })
  }

  async #deleteOf(website: string): Promise<EditView | undefined> {
    const answer = await this.#app.bridge.listEdits({ page: 1, per_page: 10, website })
    return answer.ok ? answer.value.edits.find((edit) => edit.kind === 'delete') : undefined
  }
}
