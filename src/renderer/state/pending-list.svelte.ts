import type { CommandAnswer, SitewardBridge } from '../../preload/bridge.ts'
import type { EditPage, EditView, WaitReason } from '../../shared/edit.ts'
import type { AppError } from '../../shared/result.ts'
import { coalesced } from './coalesced.ts'

const PER_PAGE = 100

/** The edits that aren't sent yet, a page at a time. */
export class PendingList {
  readonly #bridge: SitewardBridge

  page = $state(1)
  result: EditPage | null = $state.raw(null)
  error: AppError | null = $state.raw(null)
  /** What a button of this screen was answered. */
  refusal: AppError | null = $state.raw(null)

  /** The edit whose discarding has to be confirmed. */
  discarding: EditView | null = $state.raw(null)

  readonly pages = $derived(Math.max(1, Math.ceil((this.result?.total ?? 0) / PER_PAGE)))

  constructor(bridge: SitewardBridge) {
    this.#bridge = bridge
  }

  readonly load = coalesced(async () => {
    const answer = await this.#bridge.listEdits({ page: this.page, per_page: PER_PAGE })
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.result = answer.value
    if (this.page > this.pages) this.goTo(this.pages)
  })

  goTo(page: number): void {
    this.page = page
    void this.load()
  }

  undo = (id: string): Promise<void> => this.#act(this.#bridge.undoEdit({ id }))
  sendNow = (id?: string): Promise<void> => this.#act(this.#bridge.sendNow(id === undefined ? {} : { id }))

  async confirmDiscard(): Promise<void> {
    const edit = this.discarding
    this.discarding = null
    if (edit) await this.#act(this.#bridge.discardEdit({ id: edit.id }))
  }

  /** What a website's first edit waits for, where that is on the page at hand. */
  waitOf(website: string): WaitReason | null {
    return this.result?.edits.find((edit) => edit.website === website)?.reason ?? null
  }

  /** The edit that the service refused for a website, where it's on the page at hand. */
  refusedOf(website: string): EditView | undefined {
    return this.result?.edits.find((edit) => edit.website === website && edit.state === 'parked')
  }

  /** The delete of a website that can still be undone. */
  async deleteOf(website: string): Promise<EditView | undefined> {
    const answer = await this.#bridge.listEdits({ page: 1, per_page: PER_PAGE, website })
    return answer.ok ? answer.value.edits.find((edit) => edit.kind === 'delete') : undefined
  }

  reset(): void {
    this.page = 1
    this.result = null
    this.error = null
    this.refusal = null
    this.discarding = null
  }

  async #act(asked: Promise<CommandAnswer<'undoEdit'>>): Promise<void> {
    const answer = await asked
    this.refusal = answer.ok ? null : answer.error
    await this.load()
  }
}
