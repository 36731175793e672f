import type { Conflict, ResolveWay, Side, UnitChoice } from '../../../shared/edit.ts'
import { PRIVACY, type SettingName, type WebsiteRecord, type WebsiteSettings } from '../../../shared/website.ts'
import { differing } from '../model/changed.ts'
import { pickSettings } from '../model/compare.ts'
import { theirsOf, type Edit } from '../model/edit.ts'
import { mergeLines } from '../model/merge-lines.ts'
import { merge, oursOf } from '../reconcile/merge.ts'
import type { Website } from '../ports.ts'
import { settingsToRecreate } from './recreate.ts'

/** The three sides of a parked edit, of the fields at issue; null: what is there isn't at issue. */
export function conflictOf(edit: Edit): Conflict | null {
  const theirs = theirsOf(edit)
  if (theirs === null) return null
  if (edit.kind === 'create') {
    return { base: {}, theirs: sideOf(theirs), mine: { ...edit.settings, password: edit.sealed !== null }, units: [] }
  }
  if (edit.kind === 'delete') {
    const changed = differing(edit.base.settings, theirs)
    return { base: only(edit.base.settings, changed), theirs: only(theirs, changed), mine: {}, units: [] }
  }
  const { conflicts } = merge(edit.base, theirs, oursOf(edit))
  if (conflicts.length === 0) return null
  const isSecret = conflicts.includes('privacy')
  return {
    base: only(edit.base.settings, conflicts),
    theirs: { ...only(theirs, conflicts), ...(isSecret && passwordOf(theirs)) },
    mine: { ...only(edit.settings, conflicts), ...(isSecret && { password: edit.sealed !== null }) },
    units: conflicts.map((unit) => ({
      unit,
      choices: choicesOf(edit, theirs, unit),
      both: bothOf(edit, theirs, unit),
    })),
  }
}

/** As it would be sent with ours kept in each unit at issue: what isn't at issue is merged with what is there. */
export function keptMine(edit: Edit): Edit {
  const theirs = theirsOf(edit)
  if (theirs === null || edit.kind !== 'update') return edit
  const { settings, password, conflicts } = merge(edit.base, theirs, oursOf(edit))
  if (conflicts.length === 0) return edit
  const isSecret = password || conflicts.includes('privacy')
  return {
    ...edit,
    settings: { ...settings, ...only(edit.settings, conflicts) },
    sealed: isSecret ? edit.sealed : null,
  }
}

/** Lines of both sides can be had where both are shown, and where what was there before is known. */
export function bothOf(edit: Edit, theirs: WebsiteRecord, unit: SettingName): string[] | null {
  if (unit !== 'exclude_ips' && unit !== 'exclude_params') return null
  const [base, there, ours] = [edit.base.settings[unit], theirs[unit], edit.settings[unit]]
  if (base === undefined || there === undefined || ours === undefined) return null
  return mergeLines({ base, theirs: there, ours })
}

export const choicesOf = (edit: Edit, theirs: WebsiteRecord, unit: SettingName): UnitChoice[] =>
  bothOf(edit, theirs, unit) === null ? ['mine', 'theirs'] : ['mine', 'theirs', 'both']

/** What the user may decide on a parked edit, beside correcting, discarding and sending it again. */
export function waysOf(edit: Edit): ResolveWay[] {
  const { kind, standing } = edit
  if (standing.state !== 'parked') return []
  switch (standing.reason) {
    case 'conflict':
      if (kind === 'delete') return ['delete', 'keep']
      return conflictOf(edit) === null ? [] : ['units']
    case 'gone':
    case 'vanished':
      return ['recreate']
    case 'adopt':
    case 'domain-taken':
      return kind === 'create' && standing.theirs !== null ? ['adopt'] : []
    case 'appeared':
      return standing.theirs === null ? [] : ['adopt', 'delete']
    default:
      return []
  }
}

/** To create it again a statistics password has to be typed anew: the service never shows one. */
export const needsPassword = (edit: Edit, website: Website): boolean =>
  waysOf(edit).includes('recreate') &&
  settingsToRecreate(edit, website).privacy === PRIVACY.password &&
  (edit.sealed === null || edit.sealed.length === 0)

const only = (from: Partial<WebsiteSettings>, names: readonly SettingName[]): Partial<WebsiteSettings> =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])))

const passwordOf = ({ password }: WebsiteRecord): Side => (password === undefined ? {} : { password })

const sideOf = (record: WebsiteRecord): Side => ({ ...pickSettings(record), ...passwordOf(record) })
