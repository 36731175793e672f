import type { EventPayload } from '../../../preload/bridge.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import { joinSentences } from '../../../shared/display/format.ts'
import type { AppError, Result } from '../../../shared/result.ts'
import type { TablePage, TableProblem, TableResult, TableSummary } from '../../../shared/table.ts'
import { m } from '../../../messages/index.ts'
import { refusalText } from '../shared/difference-text.ts'
import { offerUndo } from '../shared/undo-bulk-change.ts'
import type { BaseApp } from '../../app/base-app.ts'

interface App extends BaseApp {
  readonly tags: { reload(): Promise<void> }
}

/** A tab of the result: changed websites, added websites, or problems. */
export type TableGroup = Exclude<keyof TablePage, 'pages'>

/** Imports a table that was exported and edited: shows the changes first, and queues them as one bulk change. */
export class TableImport {
  readonly #app: App

  open = $state(false)
  summary: TableSummary | null = $state.raw(null)
  group: TableGroup = $state('changes')
  page = $state(1)
  /** The shown page of the tab; null until it is loaded. */
  rows: TablePage | null = $state.raw(null)
  busy = $state(false)
  error: AppError | null = $state.raw(null)
  /** The rows that main refused when it queued the other rows. */
  refused: readonly TableProblem[] = $state.raw([])

  /** Number of websites that would be changed or added. */
  readonly count = $derived(this.summary ? this.summary.changes + this.summary.additions : 0)

  constructor(app: App) {
    this.#app = app
  }

  /** Lets the user choose a file, and shows what it would change. Until then, the former result stays. */
  async begin(): Promise<void> {
    const wasIncomplete = this.#app.isListIncomplete
    await this.#compare(() => this.#app.bridge.openTable())
    if (wasIncomplete && !this.#app.isListIncomplete) await this.compareAgain()
  }

  async compareAgain(): Promise<void> {
    if (this.summary) await this.#compare(() => this.#app.bridge.compareTable())
  }

  async #compare(request: () => Promise<Result<TableSummary | null>>): Promise<void> {
    if (this.busy) return
    this.busy = true
    const account = this.#app.appState?.connection?.id
    const answer = await request()
    // The user has switched to another account, for which this file was not chosen.
    if (account !== this.#app.appState?.connection?.id) return
    this.busy = false
    this.#app.toasts.progress = null
    if (answer.ok && answer.value === null) return
    this.refused = []
    this.summary = answer.ok ? answer.value : null
    this.error = answer.ok ? null : answer.error
    this.rows = null
    this.open = true
    if (this.summary) await this.show(groupsWithRows(this.summary)[0] ?? 'changes')
  }

  showProgress({ done, total }: EventPayload<'importing'>): void {
    if (this.busy) this.#app.toasts.progress = { text: m.table_reading(), done, total }
  }

  async show(group: TableGroup, page = 1): Promise<void> {
    this.group = group
    this.page = page
    const answer = await this.#app.bridge.listTable({ group, page })
    if (!this.open || this.group !== group || this.page !== page) return
    if (answer.ok) this.rows = answer.value
    else this.error = answer.error
  }

  /** Queues all changes of the table. If some are refused, the dialog stays open and shows why. */
  async apply(): Promise<void> {
    if (this.busy || this.count === 0 || this.#app.isListIncomplete) return
    this.busy = true
    const account = this.#app.appState?.connection
    const answer = await this.#app.bridge.applyTable()
    const isShown = account?.id === this.#app.appState?.connection?.id
    if (isShown) {
      this.busy = false
      this.error = answer.ok ? null : answer.error
    }
    if (!answer.ok) return isShown ? undefined : this.#app.toasts.show(fullErrorText(answer.error))
    const { bulkChange, changed, local, created, refused } = answer.value
    // Tags and notes change at once, and no event reports them.
    void this.#app.tags.reload()
    const done = appliedText(answer.value)
    const onUndone = (): void => void this.#app.tags.reload()
    if (changed + local + created > 0) offerUndo(this.#app, done, bulkChange, { account, onUndone })
    else this.#app.toasts.show(done)
    // The user has switched to another account, whose table the dialog may show now.
    if (!isShown) return
    if (refused.length === 0) return this.close()
    this.summary = null
    this.refused = refused.map(({ row, domain, error }) => {
      return { kind: 'invalid', row, domain, column: null, value: '', message: refusalText(error) }
    })
  }

  close(): void {
    if (!this.open) return
    this.open = false
    this.summary = null
    this.rows = null
    this.error = null
    this.refused = []
    void this.#app.bridge.closeTable()
  }

  reset(): void {
    if (this.busy) this.#app.toasts.progress = null
    this.busy = false
    this.close()
  }
}

/** Returns the groups of rows that the preview of a table can show: those that aren't empty. */
export const groupsWithRows = (summary: TableSummary): TableGroup[] =>
  (['changes', 'additions', 'problems'] as const).filter((group) => summary[group] > 0)

/** Returns the text of the toast after a table was applied. */
const appliedText = ({ changed, local, created }: TableResult): string =>
  joinSentences([
    changed > 0 && m.bulk_edited({ count: changed }),
    local > 0 && m.table_applied_local({ count: local }),
    created > 0 && m.bulk_create_good({ count: created }),
    changed + local + created === 0 && m.table_applied_none(),
  ])
