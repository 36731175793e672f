import { privacyLabel, onOff } from '../shared/display/fields.ts'
import type { Conflict, EditView, Side, UnitChoice } from '../shared/edit.ts'
import { PRIVACY, settingNames, type SettingName } from '../shared/website.ts'
import { timeOf } from './dates.ts'

export type SideName = 'base' | 'theirs' | 'mine'

/** What one side has: lines, or a word; null: the service doesn't show it. */
export type SideValue = { lines: readonly string[] } | { word: string } | null

export const choiceWords: Record<UnitChoice, string> = {
  mine: 'Keep mine',
  theirs: 'Keep theirs',
  both: 'Keep lines of both',
}

/** The head of a column, and the time that it tells. */
export interface ColumnWords {
  words: string
  at: number | null
}

/** `chosen`: whether the person has to choose between the columns. */
export function columnWords(side: SideName, edit: EditView, chosen: boolean): ColumnWords {
  if (side === 'base') return { words: 'Original', at: null }
  if (side === 'mine') return { words: `Yours, ${timeOf(edit.changedAt)}`, at: edit.changedAt }
  const seen = edit.theirsAt === null ? '' : `, seen ${timeOf(edit.theirsAt)}`
  return { words: `${chosen ? 'Theirs' : 'On the service'}${seen}`, at: edit.theirsAt }
}

export function sideValue(conflict: Conflict, name: SideName, unit: SettingName): SideValue {
  const side = conflict[name]
  if (unit === 'privacy') return privacyValue(side, name)
  const value = side[unit]
  if (value === undefined) return null
  return typeof value === 'boolean' ? { word: onOff(value) } : { lines: value }
}

/** Privacy and its password are one: that one is set, or was typed, is all that can be told. */
function privacyValue({ privacy, password }: Side, name: SideName): SideValue {
  const typed = name === 'mine' ? 'a new one typed' : 'one is set'
  if (privacy === undefined) return password ? { word: `A statistics password: ${typed}` } : null
  const also = privacy === PRIVACY.password && password ? `, ${typed}` : ''
  return { word: `${privacyLabel(privacy)}${also}` }
}

/** What stands where a side has nothing to show. */
export const hiddenWords: Record<SideName, string> = {
  base: 'Not known: the service doesn’t show it',
  theirs: 'The service doesn’t show it. Somebody may have changed it.',
  mine: 'Not changed',
}

/** The units at issue; where none is to be chosen, those that differ between the sides that are shown. */
export function unitsShown(conflict: Conflict, sides: readonly SideName[]): SettingName[] {
  if (conflict.units.length > 0) return conflict.units.map(({ unit }) => unit)
  return settingNames.filter((unit) => {
    if (isNothing(sideValue(conflict, 'mine', unit)) && sideValue(conflict, 'theirs', unit) === null) return false
    const [first, ...others] = sides.map((side) => JSON.stringify(sideValue(conflict, side, unit)))
    return others.some((other) => other !== first)
  })
}

/** An empty list beside one that the service doesn't show tells nothing. */
const isNothing = (value: SideValue): boolean => value !== null && 'lines' in value && value.lines.length === 0

export const sideWords = { field: 'Field', empty: 'Empty' }
