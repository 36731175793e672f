import { settingNames } from '../shared/fields.ts'
import type { Comparison, ProfileChange } from '../shared/profile.ts'
import type { LinesChange } from '../shared/bulk.ts'
import type { Privacy, SettingName } from '../shared/website.ts'
import { count, number } from './numbers.ts'
import { isolated, visible } from './visible.ts'
import { fieldWords, onOff, privacyOf } from './websites.ts'

export const profileWords = {
  none: 'No profiles yet',
  whatFor:
    'A profile is a named set of settings, such as “Client default”. See which websites aren’t as it says, and set them right in one go.',
  add: 'New profile…',
  saveAs: 'Save as profile…',
  hint: 'What you leave isn’t part of it. No password is kept in a profile.',
  fill: 'From a profile',
  filling: 'Choose a profile…',
  detail: 'What differs',
  comparing: 'Comparing…',
  title: 'Profiles',
  name: 'Name',
}

export const profileTitle = (id: string | null): string => (id === null ? 'New profile' : 'Edit profile')

const quoted = (name: string): string => `“${isolated(name)}”`

export const profileSaved = (name: string): string => `The profile ${quoted(name)} is kept.`
export const profileRemoved = (name: string): string => `The profile ${quoted(name)} is deleted.`
export const removeTitle = (name: string): string => `Delete the profile ${quoted(name)}?`
export const applyWords = (name: string): string => `Apply profile ${quoted(name)}`
/** What else a person may type for what is done with one. */
export const profileAlso = ['profile', 'preset']
export const applyDifferingWords = (name: string): string => `${applyWords(name)} to those that differ`
export const editProfileWords = (name: string): string => `Edit profile ${quoted(name)}`
export const deleteProfileWords = (name: string): string => `Delete profile ${quoted(name)}`
export const differingWords = (name: string): string => `Websites that differ from ${quoted(name)}`

export const noneDiffers = 'No website is known to differ.'

/** How the websites stand to a profile, in a sentence or two. */
export function standingWords({ total, differing, unknown }: Comparison): string {
  const rest = unknown === 0 ? '' : ` ${number(unknown)} can’t be told: the service doesn’t show all of it.`
  if (total === 0) return 'There are no websites to compare with.'
  if (total === 1 && unknown === 0) return differing === 1 ? 'The one website differs.' : 'The one website matches.'
  if (differing > 0)
    return `${number(differing)} of ${count(total, 'website')} ${differing === 1 ? 'differs' : 'differ'}.${rest}`
  if (unknown > 0) return `${noneDiffers}${rest}`
  return `All ${number(total)} websites match.`
}

/** What a profile says of each field that it has a say in. */
export const settingsOf = (change: ProfileChange): { name: string; value: string }[] =>
  settingNames.flatMap((name) => {
    const value = change[name]
    return value === undefined ? [] : [{ name: fieldWords[name], value: valueOf(name, value) }]
  })

function valueOf(name: SettingName, value: NonNullable<ProfileChange[SettingName]>): string {
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

export const profileActs = { show: 'Show in the list', apply: 'Apply…' }
export const editNamed = (name: string): string => `Edit ${isolated(name)}`
export const deleteNamed = (name: string): string => `Delete ${isolated(name)}`
export const showNamed = (name: string): string => `Show in the list what differs from ${isolated(name)}`
export const applyNamed = (name: string): string => `Apply ${isolated(name)} to those that differ`
export const detailNamed = (name: string): string => `${profileWords.detail}: ${isolated(name)}`
export const removeSaid = 'No website is changed by that.'
