import { SvelteMap } from 'svelte/reactivity'
import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { EditPage, EditView } from '../../../shared/edit.ts'
import type { AppError } from '../../../shared/result.ts'
import { coalesced } from '../../lib/coalesced.ts'

const PER_PAGE = 50

/** The question before an account is disconnected, with a list of the pending edits, from which the user can discard some. */
export class DisconnectDialog {
  readonly #bridge: SitewardBridge
  readonly #ondiscarded: (website: string) => void

  open = $state(false)
  listing = $state(false)
  page = $state(1)
  result: EditPage | null = $state.raw(null)
  error: AppError | null = $state.raw(null)
  /** The edits that the user has chosen to discard, on all pages, by id. */
  readonly chosen = new SvelteMap<string, EditView>()
  discarding = $state(false)

  readonly pages = $derived(Math.max(1, Math.ceil((this.result?.total ?? 0) / PER_PAGE)))
  /** The edits on the shown page that can be discarded. */
  readonly #choosable = $derived(this.result?.edits.filter(canDiscardOrUndo) ?? [])
  readonly allChosen = $derived(this.#choosable.length > 0 && this.#choosable.every(({ id }) => this.chosen.has(id)))

  /** `ondiscarded` is called with the key of the website whose edit was discarded. */
  constructor(bridge: SitewardBridge, ondiscarded: (website: string) => void) {
    this.#bridge = bridge
    this.#ondiscarded = ondiscarded
  }

  readonly load = coalesced(async () => {
    const answer = await this.#bridge.listEdits({ page: this.page, per_page: PER_PAGE })
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.result = answer.value
    for (const edit of answer.value.edits) if (!canDiscardOrUndo(edit)) this.chosen.delete(edit.id)
    if (this.page > this.pages) this.goTo(this.pages)
  })

  begin(): void {
    this.cancel()
    this.open = true
  }

  cancel(): void {
    this.open = false
    this.listing = false
    this.page = 1
    this.result = null
    this.error = null
    this.chosen.clear()
  }

  list(): void {
    this.listing = true
    void this.load()
  }

  changed(): void {
    if (this.listing) void this.load()
  }

  goTo(page: number): void {
    this.page = page
    void this.load()
  }

  toggle(edit: EditView, chosen: boolean): void {
    if (chosen) this.chosen.set(edit.id, edit)
    else this.chosen.delete(edit.id)
  }

  togglePage(chosen: boolean): void {
    for (const edit of this.#choosable) this.toggle(edit, chosen)
  }

  /** Discards the chosen edits one after the other, and continues after an error. */
  async discard(): Promise<void> {
    if (this.discarding) return
    this.discarding = true
    let refused: AppError | null = null
    for (const edit of [...this.chosen.values()]) {
      // It may have begun to be sent in the meantime.
      if (!this.chosen.has(edit.id)) continue
      const error = await this.#discard(edit)
      this.chosen.delete(edit.id)
      if (error && error.code !== 'edit-gone') refused = error
    }
    this.discarding = false
    await this.load()
    if (refused) this.error = refused
  }

  /** Discards a parked edit or undoes all saves of a queued one: only main knows which of both it is now. */
  async #discard({ id, website }: EditView): Promise<AppError | null> {
    const discarded = await this.#bridge.discardEdit({ id })
    const isQueued = !discarded.ok && discarded.error.code === 'edit-gone'
    const answer = isQueued ? await this.#bridge.undoEdit({ id, whole: true }) : discarded
    if (!answer.ok) return answer.error
    if (answer.value !== 'asks') this.#ondiscarded(website)
    return null
  }
}

/** True if an edit can be discarded, or undone, unless it is being sent, is in doubt, or may have created a website. */
export const canDiscardOrUndo = ({ kind, state, can, possiblySent }: EditView): boolean =>
  can.discard || (can.undo && state !== 'sending' && state !== 'inDoubt' && !(kind === 'create' && possiblySent))
