import { settingNames } from '../shared/fields.ts'
import type { Comparison, PresetChange } from '../shared/preset.ts'
import type { LinesChange } from '../shared/bulk.ts'
import type { Privacy, SettingName } from '../shared/website.ts'
import { count, number } from './numbers.ts'
import { isolated, visible } from './visible.ts'
import { fieldWords, onOff, privacyOf } from './websites.ts'

export const presetWords = {
  none: 'No presets yet',
  whatFor:
    'A preset is a named set of settings, such as “Client default”. See which websites aren’t as it says, and set them right in one go.',
  add: 'New preset…',
  saveAs: 'Save as preset…',
  hint: 'What you leave isn’t part of it. No password is kept in a preset.',
  fill: 'From a preset',
  filling: 'Choose a preset…',
  detail: 'What differs',
  comparing: 'Comparing…',
  title: 'Presets',
  name: 'Name',
}

export const presetTitle = (id: string | null): string => (id === null ? 'New preset' : 'Edit preset')

const quoted = (name: string): string => `“${isolated(name)}”`

export const presetSaved = (name: string): string => `The preset ${quoted(name)} is kept.`
export const presetRemoved = (name: string): string => `The preset ${quoted(name)} is deleted.`
export const removeTitle = (name: string): string => `Delete the preset ${quoted(name)}?`
export const applyWords = (name: string): string => `Apply preset ${quoted(name)}`
/** What else a person may type for what is done with one. */
export const presetAlso = ['preset', 'profile']
export const applyDifferingWords = (name: string): string => `${applyWords(name)} to those that differ`
export const editPresetWords = (name: string): string => `Edit preset ${quoted(name)}`
export const deletePresetWords = (name: string): string => `Delete preset ${quoted(name)}`
export const differingWords = (name: string): string => `Websites that differ from ${quoted(name)}`

export const noneDiffers = 'No website is known to differ.'

/** How the websites stand to a preset, in a sentence or two. */
export function standingWords({ total, differing, unknown }: Comparison): string {
  const rest = unknown === 0 ? '' : ` ${number(unknown)} can’t be told: the service doesn’t show all of it.`
  if (total === 0) return 'There are no websites to compare with.'
  if (total === 1 && unknown === 0) return differing === 1 ? 'The one website differs.' : 'The one website matches.'
  if (differing > 0)
    return `${number(differing)} of ${count(total, 'website')} ${differing === 1 ? 'differs' : 'differ'}.${rest}`
  if (unknown > 0) return `${noneDiffers}${rest}`
  return `All ${number(total)} websites match.`
}

/** What a preset says of each field that it has a say in. */
export const settingsOf = (change: PresetChange): { name: string; value: string }[] =>
  settingNames.flatMap((name) => {
    const value = change[name]
    return value === undefined ? [] : [{ name: fieldWords[name], value: valueOf(name, value) }]
  })

function valueOf(name: SettingName, value: NonNullable<PresetChange[SettingName]>): string {
  if (typeof value === 'object') return linesWords(value)
  return name === 'privacy' ? privacyOf(value as Privacy) : onOff(value as boolean)
}

/** As many lines are named. */
const NAMED = 6

function linesWords(change: LinesChange): string {
  const named = (lines: readonly string[]): string => {
    const some = lines.slice(0, NAMED).map(visible).join(', ')
    return lines.length > NAMED ? `${some} and ${number(lines.length - NAMED)} more` : some
  }
  if (change.how === 'set') return change.lines.length === 0 ? 'None' : `These alone: ${named(change.lines)}`
  return [
    change.add.length > 0 && `With ${named(change.add)}`,
    change.remove.length > 0 && `${change.add.length > 0 ? 'without' : 'Without'} ${named(change.remove)}`,
  ]
    .filter(Boolean)
    .join('; ')
}

export const presetActs = { show: 'Show in the list', apply: 'Apply…' }
export const editNamed = (name: string): string => `Edit ${isolated(name)}`
export const deleteNamed = (name: string): string => `Delete ${isolated(name)}`
export const showNamed = (name: string): string => `Show in the list what differs from ${isolated(name)}`
export const applyNamed = (name: string): string => `Apply ${isolated(name)} to those that differ`
export const detailNamed = (name: string): string => `${presetWords.detail}: ${isolated(name)}`
export const removeSaid = 'No website is changed by that.'
