import { normalizeDomain } from '../../../shared/domain.ts'
import { MAX_COMPARED, type ListComparison } from '../../../shared/list-comparison.ts'
import type { AppError } from '../../../shared/result.ts'
import type { ListSelection } from '../../../shared/form-draft.ts'
import { coalesced } from '../../lib/coalesced.ts'
import { csvOfJson } from '../../lib/table-of-json.ts'
import { textOf } from './bulk-create.svelte.ts'
import { columnsOf, parsePastedTable } from './rows.ts'
import type { BaseApp } from '../../app/base-app.ts'

interface App extends BaseApp {
  readonly websites: { type(search: string): void; readonly selection: { resume(chosen: ListSelection): void } }
  readonly bulkCreate: { begin(): void; fill(text: string): void }
}

const TYPING_PAUSE = 250 // milliseconds without another key, after which the text is compared

/** `missing`: domains that the account lacks. `unlisted`: websites that the list lacks. `bad`: lines without a domain. */
export const comparedGroups = ['missing', 'unlisted', 'both', 'bad'] as const
export type ComparedGroup = (typeof comparedGroups)[number]

/** A line without a valid domain. `line` counts from 1. */
interface BadLine {
  line: number
  text: string
}

/** Compares a pasted list of domains with the account's websites. Changes nothing. The text stays until the account changes. */
export class CompareList {
  readonly #app: App
  #pause: ReturnType<typeof setTimeout> | undefined

  open = $state(false)
  text = $state('')
  group: ComparedGroup = $state('missing')
  page = $state(1)
  /** The result; null if nothing was compared yet or the text has no domain. */
  compared: ListComparison | null = $state.raw(null)
  bad: readonly BadLine[] = $state.raw([])
  /** The number of domains beyond the limit. If it isn't 0, it is unknown which websites the list lacks. */
  leftOut = $state(0)
  /** The number of lines that repeat the domain of an earlier line. */
  repeated = $state(0)
  error: AppError | null = $state.raw(null)

  constructor(app: App) {
    this.#app = app
  }

  begin(): void {
    this.open = true
    void this.#compare()
  }

  close(): void {
    this.open = false
    clearTimeout(this.#pause)
  }

  compareAgain(): void {
    if (this.open) void this.#compare()
  }

  /** Sets the text, and compares it once the user stops typing. */
  type(text: string): void {
    this.text = text
    this.error = null
    clearTimeout(this.#pause)
    this.#pause = setTimeout(() => void this.#compare(), TYPING_PAUSE)
  }

  async openFile(): Promise<void> {
    const answer = await this.#app.bridge.openList()
    if (!answer.ok) this.error = answer.error
    else if (answer.value !== null) this.type(answer.value)
  }

  async drop(file: File): Promise<void> {
    const read = await textOf(file)
    if (read.ok) this.type(read.value)
    else this.error = read.error
  }

  show(group: ComparedGroup): void {
    this.group = group
    this.page = 1
  }

  /** Returns the domains of a group; for `bad`, the lines. */
  linesOf(group: ComparedGroup): readonly string[] {
    if (group === 'bad') return this.bad.map(({ text }) => text)
    if (group === 'unlisted') return this.leftOut > 0 ? [] : (this.compared?.unlisted ?? []).map(({ domain }) => domain)
    return this.compared?.[group] ?? []
  }

  /** Returns the size of a group. For `unlisted`, {@link linesOf} may return fewer, because main limits them. */
  countOf(group: ComparedGroup): number {
    return group === 'unlisted' && this.leftOut === 0 ? (this.compared?.unlistedCount ?? 0) : this.linesOf(group).length
  }

  /** Opens "Add multiple websites" with the domains that the account doesn't have. */
  addMissing(): void {
    this.close()
    this.#app.bulkCreate.begin()
    this.#app.bulkCreate.fill(this.linesOf('missing').join('\n'))
  }

  /** Shows all websites, and selects the ones that are not in the pasted list, up to the number that main returns. */
  selectUnlisted(): void {
    this.close()
    this.#app.screen = 'websites'
    this.#app.websites.type('')
    this.#app.websites.selection.resume({ all: false, keys: (this.compared?.unlisted ?? []).map(({ key }) => key) })
  }

  reset(): void {
    this.close()
    this.text = ''
    this.compared = null
    this.bad = []
    this.leftOut = 0
    this.repeated = 0
    this.error = null
  }

  /** Compares the text. Ignores the response if the text was changed in the meantime. */
  readonly #compare = coalesced(async () => {
    const { text } = this
    const { domains, bad, repeated } = domainsIn(text)
    // All values are set together, because `leftOut` decides how the comparison is shown.
    const keep = (compared: ListComparison | null): void => {
      this.compared = compared
      this.bad = bad
      this.repeated = repeated
      this.leftOut = Math.max(0, domains.length - MAX_COMPARED)
    }
    if (domains.length === 0) {
      keep(null)
      return
    }
    const answer = await this.#app.bridge.compareList({ domains: domains.slice(0, MAX_COMPARED) })
    if (this.text !== text) return
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    keep(answer.value)
    if (this.countOf(this.group) === 0) {
      this.show(comparedGroups.find((group) => this.countOf(group) > 0) ?? 'missing')
    }
  })
}

/** Returns the distinct domains as the service stores them, the lines without a domain, and the number of repeated lines. */
function domainsIn(text: string): { domains: string[]; bad: BadLine[]; repeated: number } {
  const table = parsePastedTable(csvOfJson(text) ?? text)
  const column = columnsOf(table).indexOf('domain')
  const lines = table.cells.map((row, at) => {
    const cell = row[column] ?? ''
    return { line: table.spans[at]?.first ?? 0, text: cell, domain: normalizeDomain(cell) }
  })
  const bad = lines.filter(({ domain }) => domain === null)
  const domains = [...new Set(lines.flatMap(({ domain }) => domain ?? []))]
  return { domains, bad, repeated: lines.length - bad.length - domains.length }
}
