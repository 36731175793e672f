import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { ActivityEntry, ActivityFilter, ActivityPage } from '../../../shared/activity.ts'
import type { AppError } from '../../../shared/result.ts'
import { coalesced } from '../../lib/coalesced.ts'

/** Number of entries that are read at once. */
const PER_PAGE = 50

/** A button that restores a version of a website. */
export interface RestoreButton {
  label: string
  run: () => void
}

/** The activity, or its entries that match a filter: the latest entries first, older ones on request. */
export class ActivityList {
  readonly #bridge: SitewardBridge

  filter: ActivityFilter = $state.raw({})
  /** Null until the entries that match the filter are read, which happens when the list is first shown. */
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

  /** Reads the entries again from the latest on: as many as are shown, but at least {@link PER_PAGE}. */
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

  /** Reads the entries that are older than those shown. */
  readonly more = coalesced(async () => {
    const { filter, entries } = this
    if (this.#next === null || entries === null) return
    const answer = await this.#read(filter, this.#next)
    if (!answer || filter !== this.filter || entries !== this.entries) return
    this.entries = [...entries, ...answer.entries]
    this.#next = answer.next
  })

  /** Returns a page of entries. If it can't be read, sets `error` and returns null. */
  async #read(filter: ActivityFilter, after: ActivityPage['next']): Promise<ActivityPage | null> {
    const answer = await this.#bridge.listActivity({ ...filter, ...(after && { after }), limit: PER_PAGE })
    this.error = answer.ok ? null : answer.error
    return answer.ok ? answer.value : null
  }

  /** Changes some conditions of the filter. An undefined condition is removed. */
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

  /** Reads the entries again after something has changed, if they have been shown. */
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
