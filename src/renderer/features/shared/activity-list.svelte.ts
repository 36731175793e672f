import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { ActivityEntry, ActivityFilter, ActivityPage } from '../../../shared/activity.ts'
import type { AppError } from '../../../shared/result.ts'
import { coalesced } from '../../lib/coalesced.ts'

const PER_PAGE = 50

/** A button that restores an earlier version of a website. */
export interface RestoreButton {
  label: string
  run: () => void
}

/** The activity that matches a filter, or all of it. The latest entries come first, and older ones are loaded on request. */
export class ActivityList {
  readonly #bridge: SitewardBridge

  filter: ActivityFilter = $state.raw({})
  /** Null until the entries are read, which happens when the list is first shown. */
  entries: readonly ActivityEntry[] | null = $state.raw(null)
  #next: ActivityPage['next'] = $state.raw(null)
  error: AppError | null = $state.raw(null)
  /** The error of the last export. Null once other entries are shown. */
  exportError: AppError | null = $state.raw(null)

  readonly hasMore = $derived(this.#next !== null)
  readonly isFiltered = $derived(Object.keys(this.filter).length > 0)

  constructor(bridge: SitewardBridge, filter: ActivityFilter = {}) {
    this.#bridge = bridge
    this.filter = filter
  }

  /** Reads the entries again: as many as are shown, but at least {@link PER_PAGE}. */
  readonly load = coalesced(async () => {
    const { filter } = this
    const count = Math.max(this.entries?.length ?? 0, PER_PAGE)
    const entries: ActivityEntry[] = []
    let next: ActivityPage['next'] = null
    do {
      const answer = await this.#read(filter, next)
      if (filter !== this.filter) return
      if (!answer) return
      entries.push(...answer.entries)
      next = answer.next
    } while (next !== null && entries.length < count)
    this.entries = entries
    this.#next = next
  })

  readonly more = coalesced(async () => {
    const { filter, entries } = this
    if (this.#next === null || entries === null) return
    const answer = await this.#read(filter, this.#next)
    if (!answer || filter !== this.filter || entries !== this.entries) return
    this.entries = [...entries, ...answer.entries]
    this.#next = answer.next
  })

  /** Reads a page of entries. On an error, sets `error` and returns null. */
  async #read(filter: ActivityFilter, after: ActivityPage['next']): Promise<ActivityPage | null> {
    const answer = await this.#bridge.listActivity({ ...filter, ...(after && { after }), limit: PER_PAGE })
    this.error = answer.ok ? null : answer.error
    return answer.ok ? answer.value : null
  }

  /** Changes some conditions of the filter. An undefined one is removed. */
  narrow(conditions: { [N in keyof ActivityFilter]?: ActivityFilter[N] | undefined }): void {
    const filter = Object.entries({ ...this.filter, ...conditions }).filter(([, value]) => value !== undefined)
    this.showOnly(Object.fromEntries(filter))
  }

  showAll(): void {
    this.showOnly({})
  }

  showOnly(filter: ActivityFilter): void {
    this.filter = filter
    this.entries = null
    this.exportError = null
    void this.load()
  }

  /** Reads the entries again after a change, if they were shown before. */
  async changed(): Promise<void> {
    if (this.entries !== null) await this.load()
  }

  reset(): void {
    this.filter = {}
    this.entries = null
    this.#next = null
    this.error = this.exportError = null
  }
}
