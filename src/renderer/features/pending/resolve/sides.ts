import { m } from '../../../../messages/index.ts'
import { onOffText, privacyLabel } from '../../../../shared/display/fields.ts'
import type { Conflict, EditView, Side } from '../../../../shared/edit.ts'
import { PRIVACY, settingNames, type SettingName } from '../../../../shared/website.ts'
import { formatTime } from '../../../../shared/display/format.ts'

/** `base`: the value before the changes. `theirs`: the service's value. `mine`: the value of the user's edit. */
export type SideName = 'base' | 'theirs' | 'mine'

/** The value of a field on one side. Null if the service doesn't return it. */
export type SideValue = { lines: readonly string[] } | { text: string } | null

/** The heading of a side, and the time that it contains. */
interface SideHead {
  text: string
  at: number | null
}

/** `choosing`: true if the user chooses between the columns. */
export function sideHead(side: SideName, edit: EditView, choosing: boolean): SideHead {
  if (side === 'base') return { text: m.side_original(), at: null }
  if (side === 'mine') return { text: m.side_mine({ time: formatTime(edit.changedAt) }), at: edit.changedAt }
  const at = edit.theirsAt
  if (at === null) return { text: choosing ? m.side_theirs() : m.side_service(), at }
  const time = formatTime(at)
  return { text: choosing ? m.side_theirs_seen({ time }) : m.side_service_seen({ time }), at }
}

/** Returns the value of a field on one side of a conflict, or null if the service doesn't return it. */
export function sideValue(conflict: Conflict, name: SideName, unit: SettingName): SideValue {
  const side = conflict[name]
  if (unit === 'privacy') return privacyValue(side, name)
  const value = side[unit]
  if (value === undefined) return null
  return typeof value === 'boolean' ? { text: onOffText(value) } : { lines: value }
}

/** The text for the privacy, which includes whether there is a password. The password itself is unknown. */
function privacyValue({ privacy, password }: Side, name: SideName): SideValue {
  const isNew = name === 'mine'
  if (privacy === undefined) {
    if (!password) return null
    return { text: isNew ? m.side_password_new() : m.side_password_set() }
  }
  const label = privacyLabel(privacy)
  if (privacy !== PRIVACY.password || !password) return { text: label }
  return {
    text: isNew ? m.side_privacy_password_new({ privacy: label }) : m.side_privacy_password_set({ privacy: label }),
  }
}

/** Returns the conflicting fields or, if there are none to choose, those with different values in the shown sides. */
export function unitsShown(conflict: Conflict, sides: readonly SideName[]): SettingName[] {
  if (conflict.units.length > 0) return conflict.units.map(({ unit }) => unit)
  return settingNames.filter((unit) => {
    if (isEmptyList(sideValue(conflict, 'mine', unit)) && sideValue(conflict, 'theirs', unit) === null) return false
    const [first, ...others] = sides.map((side) => JSON.stringify(sideValue(conflict, side, unit)))
    return others.some((other) => other !== first)
  })
}

/** True for an empty list. If the service doesn't return the list of the other side, an empty list tells the user nothing. */
const isEmptyList = (value: SideValue): boolean => value !== null && 'lines' in value && value.lines.length === 0

/** Returns the sides that the user needs to see for the decision. */
export function sidesFor({ ways, kind }: EditView): readonly SideName[] {
  if (ways.includes('units')) return ['base', 'theirs', 'mine']
  return kind === 'delete' ? ['base', 'theirs'] : ['theirs', 'mine']
}
