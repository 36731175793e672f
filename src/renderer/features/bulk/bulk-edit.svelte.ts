import { untrack } from 'svelte'
import type { BulkUpdate, BulkPreview, BulkResult } from '../../../shared/bulk.ts'
import { MAX_BULK_WEBSITES, PRIVACY, type ListName } from '../../../shared/fields.ts'
import type { SettingsPatch } from '../../../shared/preset.ts'
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
const READ_INTERVAL = 2000 // milliseconds between reads of the preview while its websites change, because each reads all of them

/** The dialog that makes one change in several websites, after a preview. The change is queued and undone as a whole. */
export class BulkEdit {
  readonly #app: App
  #pause: ReturnType<typeof setTimeout> | undefined

  keys: readonly string[] = $state.raw([])
  open = $state(false)

  readonly patch = new FieldPatch()
  password = $state('')

  /** The lists that the service returns for none of the websites, so that their lines aren't known. */
  unseen: readonly ListName[] = $state.raw([])

  page = $state(1)
  preview: BulkPreview | null = $state.raw(null)
  busy = $state(false)
  progress: EventPayload<'changing'> | null = $state(null)
  error: AppError | null = $state.raw(null)
  /** The websites that main refused when it queued the change of the other websites. */
  refused: BulkResult['refused'] = $state.raw([])
  /** True if main refused the change for all websites. The same change can then be tried again. */
  noneChanged = $state(false)

  /** The change with which the dialog was opened, as JSON. */
  #initialText = $state('')
  /** True if closing the dialog would lose choices that are not queued. */
  readonly filled = $derived(
    (this.refused.length === 0 || this.noneChanged) &&
      (this.password !== '' || JSON.stringify(this.patch.change) !== this.#initialText),
  )

  /** The chosen change. The typed password is included only if the chosen privacy is "Password". */
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
   * Opens the dialog for the websites that are selected now, with `change` as the first choices. Shows a toast instead if too
   * many websites are selected.
   */
  async begin(change: SettingsPatch = {}): Promise<void> {
    const { selection } = this.#app.websites
    if (selection.count > MAX_BULK_WEBSITES)
      return this.#app.toasts.show(m.selection_limit({ limit: formatNumber(MAX_BULK_WEBSITES) }))
    this.beginWith(await selection.keys(), change)
  }

  /** Opens the dialog for these websites. Shows a toast instead if their keys could not be read. */
  beginWith(keys: Result<string[]>, change: SettingsPatch): void {
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

  /** Updates the preview once the user stops typing. */
  look(): void {
    this.page = 1
    this.error = null
    // The user has changed a choice after the change was refused for all websites: shows the preview again.
    if (untrack(() => this.noneChanged)) {
      this.refused = []
      this.noneChanged = false
    }
    clearTimeout(this.#pause)
    if (this.empty) this.preview = null
    else this.#pause = setTimeout(() => void this.#read(), TYPING_PAUSE)
  }

  /** Reads the preview again, at most once per {@link READ_INTERVAL}, if one of these websites is in it. Null: any website. */
  websitesChanged(changed: readonly string[] | null): void {
    if (!this.open || this.busy || this.refused.length > 0) return
    if (changed === null || changed.some((key) => this.keys.includes(key))) void this.#readAgain()
  }

  goTo(page: number): void {
    this.page = page
    this.error = null
    void this.#read()
  }

  /** Queues the change for all websites. If some are refused, the dialog stays open and shows why. */
  async apply(): Promise<void> {
    if (this.busy || this.empty) return
    this.busy = true
    const { keys } = this
    const account = this.#app.appState?.connection
    const answer = await this.#app.bridge.bulkUpdate({ keys: [...keys], change: $state.snapshot(this.change) })
    this.busy = false
    this.progress = null
    // The user may have closed the dialog, and opened it for other websites, while main was busy.
    const isShown = this.open && this.keys === keys
    if (isShown) this.error = answer.ok ? null : answer.error
    if (!answer.ok) return isShown ? undefined : this.#app.toasts.show(fullErrorText(answer.error))
    const { bulkChange, changed, refused } = answer.value
    if (changed > 0) offerUndo(this.#app, m.bulk_edited({ count: changed }), bulkChange, { account })
    else this.#app.toasts.show(m.bulk_edited_none())
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

  /** Reads the shown page of the preview. The password is not sent to main; `masked` says that there is one. */
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
