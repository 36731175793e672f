import { m } from '../../../../messages/index.ts'
import { onOffText, privacyLabel } from '../../../../shared/display/fields.ts'
import type { Conflict, EditView, Side } from '../../../../shared/edit.ts'
import { PRIVACY, settingNames, type SettingName } from '../../../../shared/website.ts'
import { formatTime } from '../../../../shared/display/format.ts'

/** The sides of a conflict: the value before either side changed it, the value of the service, and that of the user's edit. */
export type SideName = 'base' | 'theirs' | 'mine'

/** The value of a field on one side: lines or a text. Null if the service does not show it. */
export type SideValue = { lines: readonly string[] } | { text: string } | null

/** The head of a column, and the time in it. */
interface SideHead {
  text: string
  at: number | null
}

/** Returns the head of a column. `choosing`: whether the user chooses between the columns. */
export function sideHead(side: SideName, edit: EditView, choosing: boolean): SideHead {
  if (side === 'base') return { text: m.side_original(), at: null }
  if (side === 'mine') return { text: m.side_mine({ time: formatTime(edit.changedAt) }), at: edit.changedAt }
  const at = edit.theirsAt
  if (at === null) return { text: choosing ? m.side_theirs() : m.side_service(), at }
  const time = formatTime(at)
  return { text: choosing ? m.side_theirs_seen({ time }) : m.side_service_seen({ time }), at }
}

/** Returns the value of a field on one side of a conflict, or null if the service does not show it. */
export function sideValue(conflict: Conflict, name: SideName, unit: SettingName): SideValue {
  const side = conflict[name]
  if (unit === 'privacy') return privacyValue(side, name)
  const value = side[unit]
  if (value === undefined) return null
  return typeof value === 'boolean' ? { text: onOffText(value) } : { lines: value }
}

/** The privacy and its password are one unit. Only the existence of a password is known. */
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

/** Returns the conflicting units or, if there is nothing to choose, the units in which the shown sides differ. */
export function unitsShown(conflict: Conflict, sides: readonly SideName[]): SettingName[] {
  if (conflict.units.length > 0) return conflict.units.map(({ unit }) => unit)
  return settingNames.filter((unit) => {
    if (isEmptyList(sideValue(conflict, 'mine', unit)) && sideValue(conflict, 'theirs', unit) === null) return false
    const [first, ...others] = sides.map((side) => JSON.stringify(sideValue(conflict, side, unit)))
    return others.some((other) => other !== first)
  })
}

/** True for a list without lines. Beside a list that the service does not show, it tells the user nothing. */
const isEmptyList = (value: SideValue): boolean => value !== null && 'lines' in value && value.lines.length === 0

/** Returns the sides that help the user to decide. */
export function sidesFor({ ways, kind }: EditView): readonly SideName[] {
  if (ways.includes('units')) return ['base', 'theirs', 'mine']
  return kind === 'delete' ? ['base', 'theirs'] : ['theirs', 'mine']
}
