import type { FieldName } from '../../../shared/fields.ts'
import { fail, type Result } from '../../../shared/answer.ts'
import { MOST_LIST_FILE, textOfList } from '../../../shared/list-text.ts'
import type { AppError } from '../../../shared/result.ts'
import { addedWords, takenBackWords } from '../../words/many.ts'
import { reasonsOf } from '../../words/errors.ts'
import type { Model } from '../model.svelte.ts'
import { tableOfJson } from './exported.ts'
import { offerUndo } from './offer-undo.ts'
import { columnsOf, linesOf, MOST_ROWS, rowsOf, tableOf, type Columns, type Row } from './rows.ts'

type Desk = Pick<Model, 'bridge' | 'notices'>

/** By its line, what main said. */
type Refused = Readonly<Record<number, readonly string[]>>

/** Many new websites, out of a pasted list or table. What was pasted stays until it's all queued, or given up. */
export class AddMany {
  readonly #desk: Desk

  open = $state(false)
  text = $state('')
  /** What the person made of the columns; null: what the table itself says. */
  #chosen: Columns | null = $state.raw(null)
  busy = $state(false)
  error: AppError | null = $state.raw(null)
  /** What a file has taken the place of, until something is typed; null: nothing. */
  former: string | null = $state.raw(null)
  /** What main refused, by the line; it's still in the text. */
  refused: Refused = $state.raw({})

  readonly table = $derived(tableOf(this.text))
  readonly columns = $derived(this.#chosen ?? columnsOf(this.table))
  readonly rows = $derived(
    rowsOf(this.table, this.columns).map((row) => {
      const refused = row.errors.length === 0 ? this.refused[row.line] : undefined
      return refused ? { ...row, errors: refused } : row
    }),
  )
  readonly good = $derived(this.rows.filter(({ errors }) => errors.length === 0))
  readonly leftOut = $derived(Math.max(0, this.table.cells.length - MOST_ROWS))

  constructor(desk: Desk) {
    this.#desk = desk
  }

  begin(): void {
    this.open = true
  }

  cancel(): void {
    this.open = false
    this.type('')
  }

  type(text: string): void {
    this.text = tableOfJson(text) ?? text
    this.#chosen = null
    this.refused = {}
    this.error = null
    this.former = null
  }

  /** A file that the person chooses takes the place of what is there, which can be put back. */
  async openFile(): Promise<void> {
    const answer = await this.#desk.bridge.openList()
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
    this.refused = {}
  }

  /** Queues what can be; the rest stays to be corrected. */
  async add(): Promise<void> {
    const rows = this.good
    if (this.busy || rows.length === 0) return
    this.busy = true
    const answer = await this.#desk.bridge.bulkCreate({ drafts: rows.map(({ draft }) => draft) })
    this.busy = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    const { batch, created, refused } = answer.value
    if (created > 0) offerUndo(this.#desk, addedWords(created), batch, takenBackWords)
    if (created === this.table.cells.length) return this.cancel()
    const reasons = refused.flatMap(({ row, error }) => {
      const bad = rows[row]
      return bad ? [{ row: bad, reason: reasonsOf(error) }] : []
    })
    this.#keepBut(
      rows.filter((row) => !reasons.some((bad) => bad.row === row)),
      reasons,
    )
  }

  /** What was taken goes from the text; what wasn't stays where it can be corrected. */
  #keepBut(taken: readonly Row[], refused: readonly { row: Row; reason: readonly string[] }[]): void {
    const isTaken = (line: number) => taken.some((row) => row.line <= line && line <= row.lastLine)
    const all = linesOf(this.text).map((text, at) => ({ text, line: at + 1 }))
    const left = all.filter(({ line }) => !isTaken(line))
    this.text = left.map(({ text }) => text).join('\n')
    this.refused = Object.fromEntries(
      refused.map(({ row, reason }) => [left.findIndex(({ line }) => line === row.line) + 1, reason]),
    )
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
