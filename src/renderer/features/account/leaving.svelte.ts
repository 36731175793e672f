import { SvelteSet } from 'svelte/reactivity'
import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { EditPage, EditView } from '../../../shared/edit.ts'
import type { AppError } from '../../../shared/result.ts'
import { coalesced } from '../../lib/coalesced.ts'

const PER_PAGE = 50

/** For what a connection is left. */
interface Onward {
  title: string
  action: string
  go: () => void
}

/** A connection that is about to be left with edits unsent: which of them are given up, each by its name. */
export class Leaving {
  readonly #bridge: SitewardBridge
  readonly #unsent: () => number

  open = $state(false)
  /** Null: for nothing, it's disconnected. */
  to: Onward | null = $state.raw(null)
  /** The list of edits, to choose from. */
  listing = $state(false)
  page = $state(1)
  result: EditPage | null = $state.raw(null)
  error: AppError | null = $state.raw(null)
  readonly chosen = new SvelteSet<string>()
  discarding = $state(false)

  readonly pages = $derived(Math.max(1, Math.ceil((this.result?.total ?? 0) / PER_PAGE)))
  readonly #choosable = $derived(this.result?.edits.filter(canBeGivenUp) ?? [])
  readonly allChosen = $derived(this.#choosable.length > 0 && this.#choosable.every(({ id }) => this.chosen.has(id)))

  /** `unsent`: how many edits there are. */
  constructor(bridge: SitewardBridge, unsent: () => number) {
    this.#bridge = bridge
    this.#unsent = unsent
  }

  readonly load = coalesced(async () => {
    const answer = await this.#bridge.listEdits({ page: this.page, per_page: PER_PAGE })
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.result = answer.value
    if (this.page > this.pages) this.goTo(this.pages)
  })

  /** Asks only where something is unsent. */
  beginFor(to: Onward): void {
    if (this.#unsent() > 0) this.begin(to)
    else to.go()
  }

  begin(to: Onward | null = null): void {
    this.cancel()
    this.to = to
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

  /** Something was sent meanwhile. */
  changed(): void {
    if (this.listing) void this.load()
  }

  goTo(page: number): void {
    this.page = page
    void this.load()
  }

  toggle(id: string, chosen: boolean): void {
    if (chosen) this.chosen.add(id)
    else this.chosen.delete(id)
  }

  togglePage(chosen: boolean): void {
    for (const { id } of this.#choosable) this.toggle(id, chosen)
  }

  /** Gives up what was chosen, one after the other; what can't be any more is told, and the rest goes on. */
  async discard(): Promise<void> {
    if (this.discarding) return
    this.discarding = true
    let refused: AppError | null = null
    for (const id of [...this.chosen]) {
      const answer = await this.#giveUp(id)
      this.chosen.delete(id)
      if (!answer.ok && answer.error.code !== 'edit-gone') refused = answer.error
    }
    this.discarding = false
    await this.load()
    if (refused) this.error = refused
  }

  /** What needs the person is discarded, what waits is taken back; which of the two it is now, main knows. */
  async #giveUp(id: string) {
    const discarded = await this.#bridge.discardEdit({ id })
    return discarded.ok || discarded.error.code !== 'edit-gone' ? discarded : this.#bridge.undoEdit({ id })
  }
}

/** What is on its way can't be called back. */
export const canBeGivenUp = ({ state, can }: EditView): boolean =>
  can.discard || (can.undo && state !== 'sending' && state !== 'inDoubt')
