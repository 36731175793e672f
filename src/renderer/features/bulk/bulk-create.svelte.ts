import type { FieldName } from '../../../shared/fields.ts'
import { joinSentences } from '../../../shared/display/format.ts'
import { settingsForNewWebsite, type Preset } from '../../../shared/preset.ts'
import { MAX_LIST_FILE, decodeListFile } from '../../../shared/list-text.ts'
import { type AppError, fail, type Result } from '../../../shared/result.ts'
import { m } from '../../../messages/index.ts'
import { fieldMessagesOrProblem } from '../../../messages/errors.ts'
import { coalesced } from '../../lib/coalesced.ts'
import { csvOfJson } from '../../lib/table-of-json.ts'
import { offerUndo } from '../shared/undo-bulk-change.ts'
import { columnsOf, MAX_ROWS, rowsOf, parsePastedTable } from './rows.ts'
import { textWithoutRows, rowsWithRefusals, type RefusedDomain } from './answered-rows.ts'
import type { Columns } from './drafts.ts'
import type { BaseApp } from '../../app/base-app.ts'

interface App extends BaseApp {
  readonly websites: { readonly search: string }
  readonly presets: { readonly forNew: Preset | null }
}

const TYPING_PAUSE = 250 // milliseconds without another key, after which main is asked about the domains

/** Creates several websites from a pasted list or table. The text stays until it is queued or the dialog is closed. */
export class BulkCreate {
  readonly #app: App

  open = $state(false)
  text = $state('')
  /** The text that came from "Compare with a list". The dialog can be closed without a question while the text is unchanged. */
  #initialText = $state('')
  /** The user's choice of fields for the columns; null if the column names decide. */
  #chosen: Columns | null = $state.raw(null)
  /** The preset with the values of fields that the table doesn't have, or null. */
  preset: Preset | null = $state.raw(null)
  busy = $state(false)
  error: AppError | null = $state.raw(null)
  /** The text that a file has replaced and that can be restored until the user types. Otherwise null. */
  former: string | null = $state.raw(null)
  /** The domains that main has refused. Their rows are still in the text. */
  #refused: readonly RefusedDomain[] = $state.raw([])
  /** The domains that are already in the list, as main last reported. */
  #listed: readonly string[] = $state.raw([])
  /** The number of websites that the last Add has queued, if others stayed in the text. Otherwise null. */
  added: number | null = $state(null)
  #pause: ReturnType<typeof setTimeout> | undefined

  readonly table = $derived(parsePastedTable(this.text))
  readonly columns = $derived(this.#chosen ?? columnsOf(this.table))
  /** The rows without the errors that main has reported. */
  readonly #read = $derived(rowsOf(this.table, this.columns, this.preset ? settingsForNewWebsite(this.preset) : {}))
  readonly rows = $derived(rowsWithRefusals(this.#read, this.#listed, this.#refused))
  /** The valid domains, which main looks up in the list. */
  readonly domains = $derived(
    this.#read.flatMap(({ domain, errors }) => (domain === null || errors.length > 0 ? [] : [domain])),
  )
  readonly good = $derived(this.rows.filter(({ errors }) => errors.length === 0))
  /** The number of valid rows with cells that are ignored, unless the columns have names or the user has chosen their fields. */
  readonly withIgnoredCells = $derived(
    this.#chosen || this.table.heads ? 0 : this.good.filter(({ hasIgnoredCells }) => hasIgnoredCells).length,
  )
  readonly leftOut = $derived(Math.max(0, this.table.cells.length - MAX_ROWS))

  constructor(app: App) {
    this.#app = app
  }

  /** True if closing the dialog would lose typed text. */
  get filled(): boolean {
    return this.text.trim() !== '' && this.text !== this.#initialText
  }

  /** Sets a text that another dialog still has, so that this dialog can be closed without a question. */
  fill(text: string): void {
    this.#initialText = text
    this.type(text)
  }

  begin(): void {
    this.added = null
    if (!this.open) this.preset = this.#app.presets.forNew
    this.open = true
  }

  cancel(): void {
    this.open = false
    this.type('')
  }

  /** Sets the text, converting a JSON list to a table, and resets the chosen columns and main's refusals. */
  type(text: string): void {
    this.text = csvOfJson(text) ?? text
    this.#chosen = null
    this.#refused = []
    this.added = null
    this.error = null
    this.former = null
  }

  /** Replaces the text by the content of a file that the user chooses. {@link putBack} restores the text. */
  async openFile(): Promise<void> {
    const answer = await this.#app.bridge.openList()
    if (!answer.ok) this.error = answer.error
    else if (answer.value !== null) this.#replace(answer.value)
  }

  async drop(file: File): Promise<void> {
    const read = await textOf(file)
    if (read.ok) this.#replace(read.value)
    else this.error = read.error
  }

  /** Restores the text that a file has replaced. */
  putBack(): void {
    if (this.former !== null) this.type(this.former)
  }

  #replace(text: string): void {
    const before = this.text
    this.type(text)
    if (before.trim() !== '' && before !== this.text) this.former = before
  }

  /** Assigns a field to a column, and removes it from any other column. */
  choose(at: number, field: FieldName | null): void {
    this.#chosen = this.columns.map((name, column) => (column === at ? field : name === field ? null : name))
    this.#refused = []
  }

  /** Asks main which domains are already in the list, once the user stops typing. */
  look(): void {
    clearTimeout(this.#pause)
    if (this.open && this.domains.length > 0) this.#pause = setTimeout(() => void this.#ask(), TYPING_PAUSE)
  }

  readonly #ask = coalesced(async () => {
    const answer = await this.#app.bridge.takenDomains({ domains: [...this.domains] })
    // An error is ignored here, because adding the websites reports it.
    if (answer.ok) this.#listed = answer.value
  })

  async add(): Promise<void> {
    const { text, rows: all, good: rows } = this
    if (this.busy || rows.length === 0) return
    this.busy = true
    const account = this.#app.appState?.connection
    const answer = await this.#app.bridge.bulkCreate({ drafts: rows.map(({ draft }) => draft) })
    this.busy = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    const { bulkChange, created, refused } = answer.value
    const isSearched = this.#app.websites.search.trim() !== ''
    const done = joinSentences([
      m.bulk_create_good({ count: created }),
      isSearched && m.bulk_create_added_hidden({ count: created }),
    ])
    if (created > 0) offerUndo(this.#app, done, bulkChange, { account })
    // The text was changed while main was busy, so the indexes of the refused rows don't apply to it.
    if (this.text !== text) return this.look()
    if (created === this.table.cells.length) return this.cancel()
    this.added = created
    this.#refused = refused.map(({ row, error }) => ({
      domain: rows[row]?.domain ?? '',
      reasons: fieldMessagesOrProblem(error),
    }))
    const taken = rows.filter((_, at) => !refused.some(({ row }) => row === at))
    this.text = textWithoutRows(text, this.table, all, taken)
  }
}

/** Returns the text of a dropped file. Errors: `not-read`, `file-too-large`, and those of {@link decodeListFile}. */
export async function textOf(file: File): Promise<Result<string>> {
  if (file.size > MAX_LIST_FILE) return fail('file-too-large')
  try {
    return decodeListFile(new Uint8Array(await file.arrayBuffer()))
  } catch {
    // Reading throws for a folder, and for a file that was deleted since.
    return fail('not-read')
  }
}
