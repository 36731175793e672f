import type { LinesChange } from '../../../shared/bulk.ts'
import { listNames, settingNames, type ListName } from '../../../shared/fields.ts'
import type { PresetPatch } from '../../../shared/preset.ts'
import { tidyLines } from '../../../shared/validate.ts'
import type { WebsiteSettings, WebsiteView } from '../../../shared/website.ts'

/** The change of a list: it stays as it is, loses and gains lines, or is replaced. */
export type ListChangeWay = 'leave' | 'edit' | 'set'

/** The choice for one list of several websites. `add`, `remove` and `all` are texts with one line for each entry. */
export class ListPatch {
  way: ListChangeWay = $state('leave')
  add = $state('')
  remove = $state('')
  all = $state('')

  /** The chosen change; undefined if the list stays as it is. */
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

/** The choices for each field of several websites. A field without a choice stays as it is in each website. */
export class FieldPatch {
  values: Partial<Omit<WebsiteSettings, ListName>> = $state({})
  readonly lists = Object.fromEntries(listNames.map((name) => [name, new ListPatch()])) as Readonly<
    Record<ListName, ListPatch>
  >

  /** The changes of the fields that have a choice. */
  readonly change: PresetPatch = $derived({
    ...this.values,
    ...Object.fromEntries(
      listNames.flatMap((name) => (this.lists[name].change ? [[name, this.lists[name].change]] : [])),
    ),
  })
  /** True if no field has a choice, so that no website would change. */
  readonly empty = $derived(Object.keys(this.change).length === 0)

  /** Chooses a value, or (undefined) leaves the field as it is in each website. */
  choose<N extends keyof FieldPatch['values']>(name: N, value: FieldPatch['values'][N]): void {
    const otherValues = Object.entries(this.values).filter(([other]) => other !== name)
    this.values = Object.fromEntries(value === undefined ? otherValues : [...otherValues, [name, value]])
  }

  fill(change: PresetPatch): void {
    this.values = Object.fromEntries(
      settingNames.flatMap((name) => (name in this.lists || change[name] === undefined ? [] : [[name, change[name]]])),
    )
    for (const name of listNames) this.lists[name].fill(change[name])
  }
}

/** Returns the settings of a website, without its password and the fields that the service does not show. */
export const settingsOf = (website: WebsiteView): PresetPatch =>
  Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = website[name]
      if (value === undefined) return []
      return [[name, Array.isArray(value) ? { how: 'set', lines: value } : value]]
    }),
  )
