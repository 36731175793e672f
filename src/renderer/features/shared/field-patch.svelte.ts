import type { LinesChange } from '../../../shared/bulk.ts'
import { listNames, settingNames, type ListName } from '../../../shared/fields.ts'
import type { SettingsPatch } from '../../../shared/preset.ts'
import { tidyLines } from '../../../shared/validate.ts'
import type { WebsiteSettings, WebsiteView } from '../../../shared/website.ts'

/** The ways in which a bulk edit or a preset changes a list: not at all, adding and removing lines, or replacing it. */
export type ListChangeWay = 'leave' | 'edit' | 'set'

/** The choice for one list in a bulk edit or a preset. `add`, `remove` and `all` have one line per entry. */
export class ListPatch {
  way: ListChangeWay = $state('leave')
  add = $state('')
  remove = $state('')
  all = $state('')

  /** The chosen change; undefined if the list isn't changed. */
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

/** The choices for all fields in a bulk edit or a preset. Fields without a choice aren't changed. */
export class FieldPatch {
  values: Partial<Omit<WebsiteSettings, ListName>> = $state({})
  readonly lists = Object.fromEntries(listNames.map((name) => [name, new ListPatch()])) as Readonly<
    Record<ListName, ListPatch>
  >

  readonly change: SettingsPatch = $derived({
    ...this.values,
    ...Object.fromEntries(
      listNames.flatMap((name) => (this.lists[name].change ? [[name, this.lists[name].change]] : [])),
    ),
  })
  /** True if no field has a choice, so that nothing would change. */
  readonly empty = $derived(Object.keys(this.change).length === 0)

  /** Chooses a value for a field. Undefined: the field isn't changed. */
  choose<N extends keyof FieldPatch['values']>(name: N, value: FieldPatch['values'][N]): void {
    const otherValues = Object.entries(this.values).filter(([other]) => other !== name)
    this.values = Object.fromEntries(value === undefined ? otherValues : [...otherValues, [name, value]])
  }

  fill(change: SettingsPatch): void {
    this.values = Object.fromEntries(
      settingNames.flatMap((name) => (name in this.lists || change[name] === undefined ? [] : [[name, change[name]]])),
    )
    for (const name of listNames) this.lists[name].fill(change[name])
  }
}

/** Returns the settings of a website, except its password and those that the service doesn't return. */
export const settingsOf = (website: WebsiteView): SettingsPatch =>
  Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = website[name]
      if (value === undefined) return []
      return [[name, Array.isArray(value) ? { how: 'set', lines: value } : value]]
    }),
  )
