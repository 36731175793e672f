import type { FieldName } from '../../../shared/fields.ts'
import { MOST_LIST_FILE, textOfList } from '../../../shared/list-text.ts'
import { type AppError, fail, type Result } from '../../../shared/result.ts'
import { m } from '../../../messages/index.ts'
import { reasonsOf } from '../../../messages/errors.ts'
import { coalesced } from '../../lib/coalesced.ts'
import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { Toasts } from '../../app/toasts.svelte.ts'
import { tableOfJson } from '../../lib/exported.ts'
import { offerUndo, undoneUnsentText } from '../shared/undo-bulk-change.ts'
import { columnsOf, MOST_ROWS, rowsOf, tableOf } from './rows.ts'
import { textWithout, toldRows, type Refused } from './told.ts'
import type { Columns } from './drafts.ts'

interface App {
  readonly bridge: SitewardBridge
  readonly toasts: Toasts
  readonly websites: { readonly search: string }
}

const TYPING_PAUSE = 250 // milliseconds

/** Many new websites, out of a pasted list or table. What was pasted stays until it's all queued, or given up. */
export class BulkCreate {
  readonly #app: App

  open = $state(false)
  text = $state('')
  /** What the person made of the columns; null: what the table itself says. */
  #chosen: Columns | null = $state.raw(null)
  busy = $state(false)
  error: AppError | null = $state.raw(null)
  /** What a file has taken the place of, until something is typed; null: nothing. */
  former: string | null = $state.raw(null)
  /** What main refused; it's still in the text. */
  #refused: readonly Refused[] = $state.raw([])
  /** Domains that are in the list already, as main last told. */
  #listed: readonly string[] = $state.raw([])
  /** How many the last Add has queued, while the others are still in the text; null: it's told, or there was none. */
  added: number | null = $state(null)
  #pause: ReturnType<typeof setTimeout> | undefined

  readonly table = $derived(tableOf(this.text))
  readonly columns = $derived(this.#chosen ?? columnsOf(this.table))
  /** By the text alone. */
  readonly #read = $derived(rowsOf(this.table, this.columns))
  readonly rows = $derived(toldRows(this.#read, this.#listed, this.#refused))
  /** What the list may have already. */
  readonly domains = $derived(
    this.#read.flatMap(({ domain, errors }) => (domain === null || errors.length > 0 ? [] : [domain])),
  )
  readonly good = $derived(this.rows.filter(({ errors }) => errors.length === 0))
  /** Of how many something is left out, and neither the table nor the person says so. */
  readonly unread = $derived(this.#chosen || this.table.heads ? 0 : this.good.filter(({ more }) => more).length)
  readonly leftOut = $derived(Math.max(0, this.table.cells.length - MOST_ROWS))

  constructor(app: App) {
    this.#app = app
  }

  begin(): void {
    this.added = null
    this.open = true
  }

  cancel(): void {
    this.open = false
    this.type('')
  }

  type(text: string): void {
    this.text = tableOfJson(text) ?? text
    this.#chosen = null
    this.#refused = []
    this.added = null
    this.error = null
    this.former = null
  }

  /** A file that the person chooses takes the place of what is there, which can be put back. */
  async openFile(): Promise<void> {
    const answer = await this.#app.bridge.openList()
    if (!answer.ok) this.error = answer.error
    else if (answer.value !== null) this.#take(answer.value)
  }

  /** The same with one that was dropped here; of several the first. */
  async drop(file: File): Promise<void> {
    // What is too large isn't read at all.
    const read = file.size > MOST_LIST_FILE ? fail('file-too-large') : await textOf(file)
    if (read.ok) this.#take(read.value)
    else this.error = read.error
  }

  putBack(): void {
    if (this.former !== null) this.type(this.former)
  }

  #take(text: string): void {
    const before = this.text
    this.type(text)
    if (before.trim() !== '' && before !== this.text) this.former = before
  }

  /** Each field is one column's at most. */
  choose(at: number, field: FieldName | null): void {
    this.#chosen = this.columns.map((name, column) => (column === at ? field : name === field ? null : name))
    this.#refused = []
  }

  /** Asks which of them are in the list already, once the typing pauses. */
  look(): void {
    clearTimeout(this.#pause)
    if (this.open && this.domains.length > 0) this.#pause = setTimeout(() => void this.#ask(), TYPING_PAUSE)
  }

  readonly #ask = coalesced(async () => {
    const answer = await this.#app.bridge.takenDomains({ domains: [...this.domains] })
    // Whatever keeps it from being told is told when they're added.
    if (answer.ok) this.#listed = answer.value
  })

  /** Queues what can be; the rest stays to be corrected. */
  async add(): Promise<void> {
    const all = this.rows
    const rows = this.good
    if (this.busy || rows.length === 0) return
    this.busy = true
    const answer = await this.#app.bridge.bulkCreate({ drafts: rows.map(({ draft }) => draft) })
    this.busy = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    const { bulkChange, created, refused } = answer.value
    const isSearched = this.#app.websites.search.trim() !== ''
    const done = [
      m.bulk_create_added({ count: created }),
      ...(isSearched ? [m.bulk_create_added_hidden({ count: created })] : []),
    ].join(' ')
    if (created > 0) offerUndo(this.#app, done, bulkChange, undoneUnsentText)
    if (created === this.table.cells.length) return this.cancel()
    this.added = created
    this.#refused = refused.map(({ row, error }) => ({ domain: rows[row]?.domain ?? '', reasons: reasonsOf(error) }))
    // What was taken goes from the text; what wasn't stays where it can be corrected.
    const taken = rows.filter((_, at) => !refused.some(({ row }) => row === at))
    this.text = textWithout(this.text, this.table, all, taken)
  }
}

async function textOf(file: File): Promise<Result<string>> {
  try {
    return textOfList(new Uint8Array(await file.arrayBuffer()))
  } catch {
    // A folder, or it's gone by now.
    return fail('not-read')
  }
}
