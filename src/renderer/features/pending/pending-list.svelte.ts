import { SvelteMap } from 'svelte/reactivity'
import type { CommandAnswer, SitewardBridge } from '../../../preload/bridge.ts'
import type { EditPage, EditView, Resolution, UndoOutcome } from '../../../shared/edit.ts'
import type { AppError, Result } from '../../../shared/result.ts'
import type { WebsiteView } from '../../../shared/website.ts'
import { discardToast, undoToast } from '../shared/edit-text.ts'
import { coalesced } from '../../lib/coalesced.ts'

const PER_PAGE = 50

/** The fields of an edit that undo needs. The edit itself may no longer be in the list. */
export type UndoableEdit = Pick<EditView, 'id' | 'website' | 'domain' | 'kind'>

/**
 * An open question. `discard`: discards an edit. `delete`: resolves an edit by deleting its website, which has changed,
 * has appeared, or existed before. `undo`: undoes a sent create or delete, which loses statistics.
 */
type PendingQuestion = { about: 'discard' | 'delete'; edit: EditView } | { about: 'undo'; edit: UndoableEdit }

/** The shown page of the pending edits, with the parked ones first. */
export class PendingList {
  readonly #bridge: SitewardBridge
  readonly #onsettled: (edit: string | null) => void
  readonly #onundone: (website: string) => void
  /** The undos in progress, by the id of the edit. */
  readonly #undoing = new SvelteMap<string, Promise<Result<UndoOutcome>>>()

  page = $state(1)
  result: EditPage | null = $state.raw(null)
  error: AppError | null = $state.raw(null)
  /** The error of the last action. `refused` is the id of the edit it applies to, or null if that edit is no longer listed. */
  refusal: AppError | null = $state.raw(null)
  refused: string | null = $state(null)
  /** The result of the last action, for screen readers. */
  announcement = $state('')
  /** The website whose edits are shown, or null for all. */
  only: Pick<WebsiteView, 'key' | 'domain'> | null = $state.raw(null)

  question: PendingQuestion | null = $state.raw(null)

  readonly parked = $derived(this.result?.edits.filter(({ state }) => state === 'parked') ?? [])
  /** The edits on the page that are sent without a decision of the user. */
  readonly flowing = $derived(this.result?.edits.filter(({ state }) => state !== 'parked') ?? [])
  /** The edits of a single website are always on one page. */
  readonly pages = $derived(this.only ? 1 : Math.max(1, Math.ceil((this.result?.total ?? 0) / PER_PAGE)))

  /**
   * `onsettled` gets the edit whose undo toast has to go (null: those of all edits). `onundone` gets the website of an edit that
   * was undone or discarded.
   */
  constructor(bridge: SitewardBridge, onsettled: (edit: string | null) => void, onundone: (website: string) => void) {
    this.#bridge = bridge
    this.#onsettled = onsettled
    this.#onundone = onundone
  }

  /** Reads the page. If the website in `only` has no edits left, shows those of all websites. */
  readonly load = coalesced(async () => {
    const { page, only } = this
    const answer = await this.#bridge.listEdits({ page, per_page: PER_PAGE, ...(only && { website: only.key }) })
    if (only !== this.only) return
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.result = answer.value
    if (only && answer.value.edits.length === 0) this.showAll()
    else if (this.page > this.pages) this.goTo(this.pages)
  })

  goTo(page: number): void {
    this.page = page
    void this.load()
  }

  showOnly(website: Pick<WebsiteView, 'key' | 'domain'>): void {
    this.only = website
    this.goTo(1)
  }

  showAll(): void {
    this.only = null
    this.goTo(1)
  }

  /**
   * Undoes the last save that is part of an edit. With the outcome `asks`, the user first has to agree to lose statistics. A
   * second call during the undo returns the same result.
   */
  undo(edit: UndoableEdit, agreed = false): Promise<Result<UndoOutcome>> {
    const undoing = this.#undoing.get(edit.id) ?? this.#undo(edit, agreed).finally(() => this.#undoing.delete(edit.id))
    this.#undoing.set(edit.id, undoing)
    return undoing
  }

  async #undo(edit: UndoableEdit, agreed: boolean): Promise<Result<UndoOutcome>> {
    const answering = this.#bridge.undoEdit({ id: edit.id, ...(agreed && { agreed }) })
    const acting = this.#act(edit.id, answering)
    const answer = await answering
    const isUndone = answer.ok && answer.value !== 'asks'
    if (isUndone) this.#onundone(edit.website)
    await acting
    if (isUndone) this.announcement = undoToast(edit, answer.value, agreed)
    else if (answer.ok) this.question = { about: 'undo', edit }
    return answer
  }

  /** Sends an edit at once, or all queued edits. Returns the error, or null on success. */
  async sendNow(id?: string): Promise<AppError | null> {
    const refusal = await this.#act(id ?? null, this.#bridge.sendNow(id === undefined ? {} : { id }))
    if (refusal === null) this.#onsettled(id ?? null)
    return refusal
  }

  /** Resolves a parked edit. Returns the error, or null on success. */
  resolve = (id: string, resolution: Resolution): Promise<AppError | null> =>
    this.#act(id, this.#bridge.resolveEdit({ id, resolution }))

  /** Discards an edit that the user has confirmed to discard. Returns the error, or null on success. */
  async discard(edit: EditView): Promise<AppError | null> {
    const answering = this.#bridge.discardEdit({ id: edit.id })
    const acting = this.#act(edit.id, answering)
    if ((await answering).ok) this.#onundone(edit.website)
    const refusal = await acting
    if (refusal !== null) return refusal
    this.#onsettled(edit.id)
    this.announcement = discardToast(edit)
    return null
  }

  reset(): void {
    this.page = 1
    this.result = null
    this.error = null
    this.refusal = null
    this.refused = null
    this.announcement = ''
    this.only = null
    this.question = null
  }

  readonly #find = (id: string): EditView | undefined => this.result?.edits.find((edit) => edit.id === id)

  /** Waits for an action on an edit (null: on all), and reloads the list. Stores and returns the error; null on success. */
  async #act(id: string | null, answering: Promise<CommandAnswer<'undoEdit' | 'sendNow'>>): Promise<AppError | null> {
    this.announcement = ''
    const answer = await answering
    this.refusal = answer.ok ? null : answer.error
    this.refused = answer.ok ? null : id
    await this.load()
    // The edit is no longer listed, so its error is shown above the list.
    if (this.refused !== null && !this.#find(this.refused)) this.refused = null
    return this.refusal
  }
}
