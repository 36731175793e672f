import type { BulkChange, BulkPreview, BulkResult, LinesChange } from '../../../shared/bulk.ts'
import { PRIVACY } from '../../../shared/fields.ts'
import type { AppError } from '../../../shared/result.ts'
import { tidyLines } from '../../../shared/validate.ts'
import type { Privacy } from '../../../shared/website.ts'
import { errorWords } from '../../words/errors.ts'
import { changedWords, setBackWords } from '../../words/many.ts'
import { coalesced } from '../coalesced.ts'
import type { Model } from '../model.svelte.ts'
import { offerUndo } from './offer-undo.ts'

type Desk = Pick<Model, 'bridge' | 'websites' | 'notices'>

const TYPING_PAUSE = 250 // milliseconds

export type ListName = 'exclude_ips' | 'exclude_params'
/** What becomes of a list: nothing, lines come and go, or it's replaced. */
export type ListWay = 'leave' | 'edit' | 'set'

class ListWish {
  way: ListWay = $state('leave')
  add = $state('')
  remove = $state('')
  all = $state('')

  get change(): LinesChange | undefined {
    if (this.way === 'set') return { how: 'set', lines: linesOf(this.all) }
    const [add, remove] = [linesOf(this.add), linesOf(this.remove)]
    return this.way === 'edit' && add.length + remove.length > 0 ? { how: 'edit', add, remove } : undefined
  }
}

const linesOf = (text: string): string[] => tidyLines(text.split('\n'))

/** One change for all the websites that are selected: looked at first, queued at once, taken back as one. */
export class BulkEdit {
  readonly #desk: Desk
  #pause: ReturnType<typeof setTimeout> | undefined

  keys: readonly string[] = $state.raw([])
  open = $state(false)

  privacy: Privacy | null = $state(null)
  password = $state('')
  email: boolean | null = $state(null)
  exclude_bots: boolean | null = $state(null)
  readonly lists: Readonly<Record<ListName, ListWish>> = { exclude_ips: new ListWish(), exclude_params: new ListWish() }

  page = $state(1)
  preview: BulkPreview | null = $state.raw(null)
  busy = $state(false)
  error: AppError | null = $state.raw(null)
  /** What was refused, once the rest is queued. */
  refused: BulkResult['refused'] = $state.raw([])

  readonly change: BulkChange = $derived.by(() => {
    const ips = this.lists.exclude_ips.change
    const params = this.lists.exclude_params.change
    return {
      ...(this.privacy !== null && { privacy: this.privacy }),
      ...(this.email !== null && { email: this.email }),
      ...(this.exclude_bots !== null && { exclude_bots: this.exclude_bots }),
      ...(ips && { exclude_ips: ips }),
      ...(params && { exclude_params: params }),
      ...(this.privacy === PRIVACY.password && this.password && { password: this.password }),
    }
  })
  readonly empty = $derived(Object.keys(this.change).length === 0)

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** With those that are selected now, whatever comes to match meanwhile. */
  async begin(): Promise<void> {
    const { websites, notices } = this.#desk
    const keys = await websites.selection.keys()
    if (!keys.ok) return notices.say(errorWords(keys.error).what)
    this.#clear()
    this.keys = keys.value
    this.open = true
  }

  cancel(): void {
    this.open = false
    this.#clear()
  }

  /** Looks at what would become of it, once the typing pauses. */
  look(): void {
    this.page = 1
    clearTimeout(this.#pause)
    if (this.empty) this.preview = null
    else this.#pause = setTimeout(() => void this.#read(), TYPING_PAUSE)
  }

  goTo(page: number): void {
    this.page = page
    void this.#read()
  }

  async apply(): Promise<void> {
    if (this.busy || this.empty) return
    this.busy = true
    const answer = await this.#desk.bridge.bulkUpdate({ keys: [...this.keys], change: $state.snapshot(this.change) })
    this.busy = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    const { batch, changed, refused } = answer.value
    offerUndo(this.#desk, changedWords(changed), batch, setBackWords)
    if (refused.length === 0) this.cancel()
    else this.refused = refused
  }

  readonly #read = coalesced(async () => {
    if (!this.open || this.empty) return
    const { password, ...wish } = $state.snapshot(this.change)
    const answer = await this.#desk.bridge.previewBulk({
      keys: [...this.keys],
      change: { ...wish, masked: password !== undefined },
      page: this.page,
    })
    if (!this.open || this.empty) return
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.preview = answer.value
  })

  #clear(): void {
    clearTimeout(this.#pause)
    this.privacy = null
    this.password = ''
    this.email = null
    this.exclude_bots = null
    for (const list of Object.values(this.lists)) Object.assign(list, { way: 'leave', add: '', remove: '', all: '' })
    this.page = 1
    this.preview = null
    this.error = null
    this.refused = []
  }
}
