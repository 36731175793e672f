import { SvelteSet } from 'svelte/reactivity'
import type { SitewardBridge } from '../../../preload/bridge.ts'
import { type AppError, type Result, ok } from '../../../shared/result.ts'
import { MAX_BULK_WEBSITES } from '../../../shared/fields.ts'
import type { ListSelection } from '../../../shared/form-draft.ts'
import type { Search } from '../../../shared/search.ts'
import type { WebsitePage, WebsiteView } from '../../../shared/website.ts'
import { coalesced } from '../../lib/coalesced.ts'

/** The part of the website list that the selection needs. */
interface SelectableList {
  readonly result: Pick<WebsitePage, 'matching'> | null
  readonly parsedSearch: Pick<Search, 'problems'>
  /** Number of rows on earlier pages. */
  readonly before: number
  /** Number of rows on the page, loaded or not. */
  readonly count: number
  row(index: number): WebsiteView | undefined
  /** Returns the index of a website on the page, or null if it isn't loaded. */
  indexOf(key: string): number | null
  query(): Omit<Parameters<SitewardBridge['listKeys']>[0], 'from' | 'count'>
}

/** The selected websites: some, or all except some. Most rows aren't loaded, so keys are requested when needed. */
export class Selection {
  readonly #bridge: SitewardBridge
  readonly #list: SelectableList
  /** The selected websites; if `#all` is true, the ones that are not selected. */
  readonly #keys = new SvelteSet<string>()
  #all = $state(false)
  /** If `#all` is true: number of deselected websites that don't match now or no longer exist. */
  #unmatched = $state(0)
  /** The website where a range starts. Not an index, because rows move when others are added or removed. */
  #anchor: string | null = null
  /** Changes with each selection, so that a range is dropped whose keys arrive later. */
  #version = 0
  error: AppError | null = $state.raw(null)

  constructor(bridge: SitewardBridge, list: SelectableList) {
    this.#bridge = bridge
    this.#list = list
  }

  get count(): number {
    return this.#all ? Math.max(0, this.#matching - this.#keys.size + this.#unmatched) : this.#keys.size
  }

  get isWhole(): boolean {
    return this.count > 0 && this.count === this.#matching
  }

  get #matching(): number {
    return this.#list.result?.matching ?? 0
  }

  /** The selection as main gets it: the selected websites or, if `all` is true, the ones that are not selected. */
  get chosen(): ListSelection {
    return { all: this.#all, keys: [...this.#keys] }
  }

  /** The selection that {@link Selection.resume} restores after a reload or restart. Empty if it is too large to be kept. */
  get place(): ListSelection {
    const isKept = this.#keys.size <= MAX_BULK_WEBSITES
    return { all: isKept && this.#all, keys: isKept ? [...this.#keys] : [] }
  }

  resume({ all, keys }: ListSelection): void {
    this.clear()
    this.#all = all
    for (const key of keys) this.#keys.add(key)
    // Some of the websites may be gone or no longer match.
    this.websitesChanged(null)
  }

  has(key: string): boolean {
    return this.#keys.has(key) !== this.#all
  }

  /** Selects or deselects one row. The next range starts there. */
  toggle(index: number): void {
    const key = this.#list.row(index)?.key
    if (key === undefined) return
    this.#version += 1
    this.#anchor = key
    if (!this.#keys.delete(key)) this.#keys.add(key)
  }

  /** Selects all matching websites, loaded or not. */
  all(): void {
    this.#version += 1
    this.#all = true
    this.#unmatched = 0
    this.#keys.clear()
  }

  clear(): void {
    this.#version += 1
    this.#all = false
    this.#unmatched = 0
    this.#anchor = null
    this.#keys.clear()
    this.error = null
  }

  /**
   * Deselects changed websites (null: any) that no longer exist or match. If all are selected, counts the deselected ones that
   * don't match: they stay deselected, because they may match again.
   */
  websitesChanged(keys: readonly string[] | null): void {
    if (keys === null ? this.#keys.size > 0 : keys.some((key) => this.#keys.has(key))) void this.#dropGone()
  }

  /** Deselects what no longer matches after a change of tags or presets. A search for a deleted one matches nothing. */
  namesChanged(): void {
    if (this.#list.parsedSearch.problems.length > 0) this.clear()
    else this.websitesChanged(null)
  }

  readonly #dropGone = coalesced(async () => {
    const version = this.#version
    const query = this.#list.query()
    const gone = new SvelteSet(this.#keys)
    for (let from = 0; gone.size > 0; from += MAX_BULK_WEBSITES) {
      const answer = await this.#bridge.listKeys({ ...query, from, count: MAX_BULK_WEBSITES })
      if (version !== this.#version) return void this.#dropGone()
      if (!answer.ok) return
      for (const key of answer.value) gone.delete(key)
      if (answer.value.length < MAX_BULK_WEBSITES) break
      // Only the first part of the list is checked, because many selected websites may change one after another.
      if (!this.#all) return
    }
    if (this.#all) this.#unmatched = gone.size
    else for (const key of gone) this.#keys.delete(key)
  })

  /** Starts a range at this row, unless one has started and something is selected. */
  begin(index: number): void {
    if (this.count === 0 || this.#anchor === null) this.#anchor = this.#list.row(index)?.key ?? null
  }

  /**
   * Selects exactly the rows from the start of the range to this one, loaded or not. A range whose start isn't on the page starts
   * here. Returns false without a change beyond {@link MAX_BULK_WEBSITES} rows.
   */
  async to(index: number): Promise<boolean> {
    const version = ++this.#version
    const key = this.#list.row(index)?.key
    this.#anchor ??= key ?? null
    const keys = this.#loadedTo(index) ?? (await this.#fetchTo(index))
    if (version !== this.#version) return true
    this.error = keys.ok ? null : keys.error
    if (!keys.ok) return true
    if (keys.value === 'too-far') return false
    if (keys.value === null) this.#anchor = key ?? null
    this.#all = false
    this.#keys.clear()
    for (const one of keys.value ?? [key]) if (one !== undefined) this.#keys.add(one)
    return true
  }

  /** Returns the keys of the range up to this row, or null if some of its rows aren't loaded. */
  #loadedTo(index: number): Result<string[]> | null {
    const at = this.#anchor === null ? null : this.#list.indexOf(this.#anchor)
    if (at === null || at >= this.#list.count) return null
    const [first, last] = [Math.min(at, index), Math.max(at, index)]
    const keys = Array.from({ length: last - first + 1 }, (_, n) => this.#list.row(first + n)?.key)
    const loaded = keys.filter((key) => key !== undefined)
    return loaded.length === keys.length ? ok(loaded) : null
  }

  /** Requests the keys of the range up to this row. Null if its start isn't on the page; `too-far` if it is too long. */
  async #fetchTo(index: number): Promise<Result<string[] | 'too-far' | null>> {
    const first = Math.max(0, index - MAX_BULK_WEBSITES + 1)
    const behind = Math.min(this.#list.count, index + MAX_BULK_WEBSITES)
    for (const [from, to] of [
      [first, index + 1],
      [index, behind],
    ] as const) {
      const keys = await this.#fetch(from, to - from)
      if (!keys.ok) return keys
      const at = this.#anchor === null ? -1 : keys.value.indexOf(this.#anchor)
      if (at >= 0) return ok(from === index ? keys.value.slice(0, at + 1) : keys.value.slice(at))
    }
    if (this.#list.count <= MAX_BULK_WEBSITES) return ok(null)
    for (let from = 0; from < this.#list.count; from += MAX_BULK_WEBSITES) {
      const keys = await this.#fetch(from, Math.min(MAX_BULK_WEBSITES, this.#list.count - from))
      if (!keys.ok) return keys
      if (this.#anchor !== null && keys.value.includes(this.#anchor)) return ok('too-far')
    }
    return ok(null)
  }

  /** Returns the keys of at most {@link MAX_BULK_WEBSITES} selected websites, in the order of the list if all are selected. */
  async keys(): Promise<Result<string[]>> {
    if (!this.#all) return ok([...this.#keys].slice(0, MAX_BULK_WEBSITES))
    const selected: string[] = []
    for (let from = 0; from < this.#matching && selected.length < MAX_BULK_WEBSITES; from += MAX_BULK_WEBSITES) {
      const keys = await this.#fetch(from - this.#list.before, MAX_BULK_WEBSITES)
      if (!keys.ok) return keys
      selected.push(...keys.value.filter((key) => !this.#keys.has(key)))
    }
    return ok(selected.slice(0, MAX_BULK_WEBSITES))
  }

  /** Requests the keys of `count` rows. `from` is counted from the first row of the page. */
  #fetch(from: number, count: number): Promise<Result<string[]>> {
    return this.#bridge.listKeys({ ...this.#list.query(), from: this.#list.before + from, count })
  }
}
