import type { LinesChange } from '../../../shared/bulk.ts'
import type { ListName } from '../../../shared/fields.ts'
import type { ProfileChange } from '../../../shared/profile.ts'
import { tidyLines } from '../../../shared/validate.ts'
import type { Privacy } from '../../../shared/website.ts'

/** What becomes of a list: nothing, lines come and go, or it's replaced. */
export type ListWay = 'leave' | 'edit' | 'set'

export class ListWish {
  way: ListWay = $state('leave')
  add = $state('')
  remove = $state('')
  all = $state('')

  get change(): LinesChange | undefined {
    if (this.way === 'set') return { how: 'set', lines: linesOf(this.all) }
    const [add, remove] = [linesOf(this.add), linesOf(this.remove)]
    return this.way === 'edit' && add.length + remove.length > 0 ? { how: 'edit', add, remove } : undefined
  }

  fill(change: LinesChange | undefined): void {
    this.way = change?.how ?? 'leave'
    this.all = change?.how === 'set' ? textOf(change.lines) : ''
    this.add = change?.how === 'edit' ? textOf(change.add) : ''
    this.remove = change?.how === 'edit' ? textOf(change.remove) : ''
  }
}

const linesOf = (text: string): string[] => tidyLines(text.split('\n'))
const textOf = (lines: readonly string[]): string => lines.join('\n')

/** What is chosen to become of many websites, field by field; null: it stays as it is in each. */
export class Wish {
  privacy: Privacy | null = $state(null)
  email: boolean | null = $state(null)
  exclude_bots: boolean | null = $state(null)
  readonly lists: Readonly<Record<ListName, ListWish>> = { exclude_ips: new ListWish(), exclude_params: new ListWish() }

  /** The fields that are chosen alone. */
  readonly change: ProfileChange = $derived.by(() => {
    const ips = this.lists.exclude_ips.change
    const params = this.lists.exclude_params.change
    return {
      ...(this.privacy !== null && { privacy: this.privacy }),
      ...(this.email !== null && { email: this.email }),
      ...(this.exclude_bots !== null && { exclude_bots: this.exclude_bots }),
      ...(ips && { exclude_ips: ips }),
      ...(params && { exclude_params: params }),
    }
  })
  readonly empty = $derived(Object.keys(this.change).length === 0)

  fill(change: ProfileChange): void {
    this.privacy = change.privacy ?? null
    this.email = change.email ?? null
    this.exclude_bots = change.exclude_bots ?? null
    this.lists.exclude_ips.fill(change.exclude_ips)
    this.lists.exclude_params.fill(change.exclude_params)
  }
}
