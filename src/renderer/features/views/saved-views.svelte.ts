import { m } from '../../../messages/index.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import { isolateText } from '../../../shared/display/visible.ts'
import type { AppError } from '../../../shared/result.ts'
import type { Arrangement, SavedView } from '../../../shared/saved-view.ts'
import type { Settings } from '../../../shared/state.ts'
import { coalesced } from '../../lib/coalesced.ts'
import type { BaseApp } from '../../app/base-app.ts'

interface App extends BaseApp {
  readonly websites: {
    view: SavedView | null
    readonly arrangement: Arrangement
    openView(view: SavedView): void
    leaveView(settings: Settings): void
  }
  readonly settings: { readonly now: Settings | null }
}

export class SavedViews {
  readonly #app: App

  entries: readonly SavedView[] = $state.raw([])
  /** The view that is renamed, or null for a new one. */
  renaming: SavedView | null = $state.raw(null)
  asking = $state(false)
  name = $state('')
  busy = $state(false)
  error: AppError | null = $state.raw(null)

  constructor(app: App) {
    this.#app = app
  }

  readonly load = coalesced(async () => {
    const answer = await this.#app.bridge.listViews()
    if (!answer.ok) return this.#app.toasts.show(fullErrorText(answer.error))
    this.entries = answer.value
    const { websites } = this.#app
    websites.view = this.entries.find(({ id }) => id === websites.view?.id) ?? websites.view
  })

  open(view: SavedView): void {
    this.#app.screen = 'websites'
    this.#app.websites.openView(view)
  }

  /** Closes the open view, and shows all websites in the order and columns of the settings. Does nothing if no view is open. */
  leave(): void {
    const { now } = this.#app.settings
    if (now) this.#app.websites.leaveView(now)
  }

  /** Opens the dialog for the name of a new view, or for another name of `view`. */
  ask(view: SavedView | null = null): void {
    this.renaming = view
    this.name = view?.name ?? ''
    this.error = null
    this.asking = true
  }

  cancel(): void {
    this.asking = false
  }

  /** Saves the search, order and columns as a new view, or the new name of the renamed view. */
  async save(): Promise<void> {
    if (this.busy) return
    const { renaming, name } = this
    this.busy = true
    const { view: opened, arrangement: listed } = this.#app.websites
    const arrangement = renaming ?? listed
    const answer = await this.#app.bridge.saveView({ ...arrangement, id: renaming?.id ?? null, name })
    this.busy = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.asking = false
    const { value } = answer
    const text = m.view_saved({ name: isolateText(value.name) })
    if (renaming) this.#sayWithUndo(text, renaming)
    else this.#app.toasts.showUndo(text, m.common_undo(), () => this.#removeNew(value, opened), { objects: [value.id] })
    if (renaming === null || this.#app.websites.view?.id === value.id) this.#app.websites.view = value
    await this.load()
  }

  /** Saves the search, order and columns of the list in the open view. */
  async update(): Promise<void> {
    const { view, arrangement } = this.#app.websites
    if (view === null) return
    const text = m.view_updated({ name: isolateText(view.name) })
    const error = await this.#store({ ...arrangement, id: view.id, name: view.name }, () =>
      this.#sayWithUndo(text, view),
    )
    if (error) this.#app.toasts.show(fullErrorText(error))
  }

  async remove(view: SavedView): Promise<void> {
    const answer = await this.#app.bridge.removeView({ id: view.id })
    if (!answer.ok) return this.#app.toasts.show(fullErrorText(answer.error))
    if (this.#app.websites.view?.id === view.id) this.leave()
    this.#sayWithUndo(m.view_deleted({ name: isolateText(view.name) }), view)
    await this.load()
  }

  /** Deletes a view that was just saved. If it is open, the list doesn't change, and the view before becomes the open one. */
  async #removeNew({ id, name }: SavedView, before: SavedView | null): Promise<AppError | null> {
    const answer = await this.#app.bridge.removeView({ id })
    if (!answer.ok) return answer.error
    if (this.#app.websites.view?.id === id) this.#app.websites.view = before
    this.#app.toasts.show(m.view_deleted({ name: isolateText(name) }))
    await this.load()
    return null
  }

  /** Stores a view and calls `then`. Returns the error, or null. */
  async #store(view: SavedView, then: () => void): Promise<AppError | null> {
    const answer = await this.#app.bridge.saveView(view)
    if (!answer.ok) return answer.error
    if (this.#app.websites.view?.id === view.id) this.#app.websites.view = answer.value
    then()
    await this.load()
    return null
  }

  #sayWithUndo(text: string, view: SavedView): void {
    const { toasts } = this.#app
    const restored = m.view_restored({ name: isolateText(view.name) })
    toasts.showUndo(text, m.common_undo(), () => this.#store(view, () => toasts.show(restored)), { objects: [view.id] })
  }

  reset(): void {
    this.entries = []
    this.cancel()
  }
}
