import { untrack } from 'svelte'
import type { BulkUpdate, BulkPreview, BulkResult } from '../../../shared/bulk.ts'
import { MAX_BULK_WEBSITES, PRIVACY, type ListName } from '../../../shared/fields.ts'
import type { PresetPatch } from '../../../shared/preset.ts'
import type { AppError, Result } from '../../../shared/result.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import { m } from '../../../messages/index.ts'
import { coalesced } from '../../lib/coalesced.ts'
import { formatNumber } from '../../../shared/display/format.ts'
import type { EventPayload } from '../../../preload/bridge.ts'
import { offerUndo } from '../shared/undo-bulk-change.ts'
import { FieldPatch } from '../shared/field-patch.svelte.ts'
import type { BaseApp } from '../../app/base-app.ts'

interface App extends BaseApp {
  readonly websites: { readonly selection: { readonly count: number; keys(): Promise<Result<string[]>> } }
}

const TYPING_PAUSE = 250 // milliseconds without another choice or key, after which the preview is read
const READ_INTERVAL = 2000 // milliseconds between reads of the preview while its websites change, as each reads all of them

/** The dialog that makes the same change in several websites, after a preview. The change is queued and undone as a whole. */
export class BulkEdit {
  readonly #app: App
  #pause: ReturnType<typeof setTimeout> | undefined

  keys: readonly string[] = $state.raw([])
  open = $state(false)

  readonly patch = new FieldPatch()
  password = $state('')

  /** The lists that the service shows for none of the websites. */
  unseen: readonly ListName[] = $state.raw([])

  page = $state(1)
  preview: BulkPreview | null = $state.raw(null)
  busy = $state(false)
  /** The progress of a long change: how many of its websites have been changed so far. */
  progress: EventPayload<'changing'> | null = $state(null)
  error: AppError | null = $state.raw(null)
  /** The refused websites, after the changes of the other websites were queued. */
  refused: BulkResult['refused'] = $state.raw([])
  /** True if all of the websites that would change were refused, so that the same change can be tried again. */
  noneChanged = $state(false)

  /** The choices with which the dialog opened. */
  #initialText = $state('')
  /** True if the user has changed a choice that is not queued. */
  readonly filled = $derived(
    (this.refused.length === 0 || this.noneChanged) &&
      (this.password !== '' || JSON.stringify(this.patch.change) !== this.#initialText),
  )

  /** The chosen change. The typed password is part of it only if the chosen privacy is "Password". */
  readonly change: BulkUpdate = $derived({
    ...this.patch.change,
    ...(this.patch.values.privacy === PRIVACY.password && this.password && { password: this.password }),
  })

  constructor(app: App) {
    this.#app = app
  }

  get empty(): boolean {
    return this.patch.empty
  }

  /**
   * Opens the dialog for the websites that are selected now, even if the selection changes later. `change`: choices to begin
   * with. Shows a toast instead if too many are selected.
   */
  async begin(change: PresetPatch = {}): Promise<void> {
    const { selection } = this.#app.websites
    if (selection.count > MAX_BULK_WEBSITES)
      return this.#app.toasts.show(m.selection_limit({ limit: formatNumber(MAX_BULK_WEBSITES) }))
    this.beginWith(await selection.keys(), change)
  }

  /** Like {@link begin}, for these websites. If their keys could not be read, shows the error as a toast instead. */
  beginWith(keys: Result<string[]>, change: PresetPatch): void {
    if (!keys.ok) return this.#app.toasts.show(fullErrorText(keys.error))
    this.#clear()
    this.patch.fill(change)
    this.#initialText = JSON.stringify(this.patch.change)
    this.keys = keys.value
    this.open = true
    void this.#findUnseen()
  }

  cancel(): void {
    this.open = false
    this.#clear()
  }

  /** Updates the preview, once the typing pauses. */
  look(): void {
    this.page = 1
    this.error = null
    // After a change that was refused for all websites, another choice is previewed again.
    if (untrack(() => this.noneChanged)) {
      this.refused = []
      this.noneChanged = false
    }
    clearTimeout(this.#pause)
    if (this.empty) this.preview = null
    else this.#pause = setTimeout(() => void this.#read(), TYPING_PAUSE)
  }

  /** Reads the preview again, at most every two seconds, if it may show one of these websites; null: any. */
  websitesChanged(changed: readonly string[] | null): void {
    if (!this.open || this.busy || this.refused.length > 0) return
    if (changed === null || changed.some((key) => this.keys.includes(key))) void this.#readAgain()
  }

  goTo(page: number): void {
    this.page = page
    this.error = null
    void this.#read()
  }

  /** Queues the change for all websites. The dialog stays open if some were refused, and shows why. */
  async apply(): Promise<void> {
    if (this.busy || this.empty) return
    this.busy = true
    const { keys } = this
    const account = this.#app.appState?.connection
    const answer = await this.#app.bridge.bulkUpdate({ keys: [...keys], change: $state.snapshot(this.change) })
    this.busy = false
    this.progress = null
    // The dialog may have been closed, and opened for other websites, since.
    const isShown = this.open && this.keys === keys
    if (isShown) this.error = answer.ok ? null : answer.error
    if (!answer.ok) return isShown ? undefined : this.#app.toasts.show(fullErrorText(answer.error))
    const { bulkChange, changed, refused } = answer.value
    const done = m.bulk_edited({ count: changed })
    if (changed > 0) offerUndo(this.#app, done, bulkChange, { account })
    else this.#app.toasts.show(done)
    if (!isShown) return
    this.refused = refused
    this.noneChanged = changed === 0
    if (refused.length === 0) this.cancel()
  }

  showProgress(progress: EventPayload<'changing'>): void {
    if (this.busy) this.progress = progress
  }

  async #findUnseen(): Promise<void> {
    const { keys } = this
    const answer = await this.#app.bridge.unseenLists({ keys: [...keys] })
    if (answer.ok && keys === this.keys) this.unseen = answer.value
  }

  /** Reads the current page of the preview. The password stays in the window. */
  readonly #read = coalesced(async () => {
    if (!this.open || this.empty) return
    const { password, ...patch } = $state.snapshot(this.change)
    const answer = await this.#app.bridge.previewBulk({
      keys: [...this.keys],
      change: { ...patch, masked: password !== undefined },
      page: this.page,
    })
    if (!this.open || this.empty) return
    if (!answer.ok) return void (this.error = answer.error)
    this.preview = answer.value
    if (this.page > answer.value.pages) this.goTo(answer.value.pages)
  })

  readonly #readAgain = coalesced(async () => {
    if (!this.busy && this.refused.length === 0) await this.#read()
    await new Promise((resolve) => setTimeout(resolve, READ_INTERVAL))
  })

  #clear(): void {
    clearTimeout(this.#pause)
    this.patch.fill({})
    this.password = ''
    this.unseen = []
    this.page = 1
    this.preview = null
    this.error = null
    this.refused = []
    this.noneChanged = false
  }
}
