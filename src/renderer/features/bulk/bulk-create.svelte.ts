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

/**
 * Creates several websites from a pasted list or table. The text stays until all of it is queued or the user closes the
 * dialog.
 */
export class BulkCreate {
  readonly #app: App

  open = $state(false)
  text = $state('')
  /** The text that "Compare with a list" filled in, which isn't lost when the dialog closes. */
  #initialText = $state('')
  /** The columns that the user chose; null means those that the table names. */
  #chosen: Columns | null = $state.raw(null)
  /** The preset whose settings the websites get in fields that the table doesn't have, or null. */
  preset: Preset | null = $state.raw(null)
  busy = $state(false)
  error: AppError | null = $state.raw(null)
  /** The text that a file replaced, until something is typed; null if none. */
  former: string | null = $state.raw(null)
  /** Rows that main refused. They are still in the text. */
  #refused: readonly RefusedDomain[] = $state.raw([])
  /** Domains that are already in the list, by the last answer of main. */
  #listed: readonly string[] = $state.raw([])
  /**
   * The number of websites that the last Add queued while others stayed in the text; null if there is nothing to report.
   */
  added: number | null = $state(null)
  #pause: ReturnType<typeof setTimeout> | undefined

  readonly table = $derived(parsePastedTable(this.text))
  readonly columns = $derived(this.#chosen ?? columnsOf(this.table))
  /** The rows of the text, without main's answers. */
  readonly #read = $derived(rowsOf(this.table, this.columns, this.preset ? settingsForNewWebsite(this.preset) : {}))
  readonly rows = $derived(rowsWithRefusals(this.#read, this.#listed, this.#refused))
  /** Valid domains, to be looked up in the list. */
  readonly domains = $derived(
    this.#read.flatMap(({ domain, errors }) => (domain === null || errors.length > 0 ? [] : [domain])),
  )
  /** The rows without errors, which can be added. */
  readonly good = $derived(this.rows.filter(({ errors }) => errors.length === 0))
  /** The number of valid rows with ignored cells; 0 if the table or the user has named the columns. */
  readonly withIgnoredCells = $derived(
    this.#chosen || this.table.heads ? 0 : this.good.filter(({ hasIgnoredCells }) => hasIgnoredCells).length,
  )
  /** The number of rows beyond {@link MAX_ROWS}, which stay in the text. */
  readonly leftOut = $derived(Math.max(0, this.table.cells.length - MAX_ROWS))

  constructor(app: App) {
    this.#app = app
  }

  /** True if closing would lose what the user has typed. */
  get filled(): boolean {
    return this.text.trim() !== '' && this.text !== this.#initialText
  }

  /** Replaces the text by one that the user can get again from another dialog, so that closing this one asks nothing. */
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

  /** Replaces the text, in which a list in JSON becomes a table. Forgets the chosen columns and which rows main has refused. */
  type(text: string): void {
    this.text = csvOfJson(text) ?? text
    this.#chosen = null
    this.#refused = []
    this.added = null
    this.error = null
    this.former = null
  }

  /** Replaces the text by a file that the user chooses. {@link putBack} restores the text. */
  async openFile(): Promise<void> {
    const answer = await this.#app.bridge.openList()
    if (!answer.ok) this.error = answer.error
    else if (answer.value !== null) this.#replace(answer.value)
  }

  /** Replaces the text by a dropped file, the first of several. */
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

  /** Assigns a field to a column. Each field belongs to one column at most. */
  choose(at: number, field: FieldName | null): void {
    this.#chosen = this.columns.map((name, column) => (column === at ? field : name === field ? null : name))
    this.#refused = []
  }

  /** Asks which domains are already in the list, once the typing pauses. */
  look(): void {
    clearTimeout(this.#pause)
    if (this.open && this.domains.length > 0) this.#pause = setTimeout(() => void this.#ask(), TYPING_PAUSE)
  }

  readonly #ask = coalesced(async () => {
    const answer = await this.#app.bridge.takenDomains({ domains: [...this.domains] })
    // An error is shown when the websites are added.
    if (answer.ok) this.#listed = answer.value
  })

  /** Queues the valid websites. The others stay in the text. */
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
    // The text has changed since, and its rows are no longer those that were sent.
    if (this.text !== text) return this.look()
    if (created === this.table.cells.length) return this.cancel()
    this.added = created
    this.#refused = refused.map(({ row, error }) => ({
      domain: rows[row]?.domain ?? '',
      reasons: fieldMessagesOrProblem(error),
    }))
    // Removes the queued websites from the text.
    const taken = rows.filter((_, at) => !refused.some(({ row }) => row === at))
    this.text = textWithoutRows(text, this.table, all, taken)
  }
}

/** Returns the text of a dropped file. Errors: `not-read`, and those of {@link decodeListFile}. */
export async function textOf(file: File): Promise<Result<string>> {
  // A file that is too large is not read.
  if (file.size > MAX_LIST_FILE) return fail('file-too-large')
  try {
    return decodeListFile(new Uint8Array(await file.arrayBuffer()))
  } catch {
    // A folder, or a file that was deleted in the meantime.
    return fail('not-read')
  }
}
