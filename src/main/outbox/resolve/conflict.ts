import type { Conflict, ResolveWay, Side, UnitChoice } from '../../../shared/edit.ts'
import { PRIVACY, type SettingName, type WebsiteRecord } from '../../../shared/website.ts'
import { differingFields } from '../model/compare-with-record.ts'
import { pickNamed, pickSettings } from '../model/compare.ts'
import { theirsOf, type Edit } from '../model/edit.ts'
import { mergeLines } from '../model/merge-lines.ts'
import { merge, oursOf } from '../reconcile/merge.ts'
import type { OutboxStore, Website } from '../ports.ts'
import { mergedWithExisting } from './adopt.ts'
import { settingsToRecreate } from './recreate.ts'

/**
 * Returns what the user decides about: for a create, the whole existing website; for a delete, the fields that have changed; for
 * an update, the fields in conflict. Null if the edit is not parked because of a record, or has no conflict with that record.
 */
export function conflictOf(edit: Edit): Conflict | null {
  const theirs = theirsOf(edit)
  if (theirs === null) return null
  if (edit.kind === 'create') {
    const mine = { ...mergedWithExisting(edit.settings, theirs), password: edit.sealed !== null }
    return { base: {}, theirs: sideOf(theirs), mine, units: [] }
  }
  if (edit.kind === 'delete') {
    const seen = { ...edit.base.settings, ...edit.base.seen?.settings }
    const changed = differingFields(seen, theirs)
    return { base: pickNamed(seen, changed), theirs: pickNamed(theirs, changed), mine: {}, units: [] }
  }
  const { conflicts } = merge(edit.base, theirs, oursOf(edit))
  if (conflicts.length === 0) return null
  const isSecret = conflicts.includes('privacy')
  return {
    base: pickNamed(edit.base.settings, conflicts),
    theirs: { ...pickNamed(theirs, conflicts), ...(isSecret && passwordFlagOf(theirs)) },
    mine: { ...pickNamed(edit.settings, conflicts), ...(isSecret && { password: edit.sealed !== null }) },
    units: conflicts.map((unit) => ({
      unit,
      choices: choicesOf(edit, theirs, unit),
      both: linesOfBothSides(edit, theirs, unit),
    })),
  }
}

/** Returns the update as it is sent if the user keeps their value of each field in conflict. The other fields are merged. */
export function resolvedWithMine(edit: Edit): Edit {
  const theirs = theirsOf(edit)
  if (theirs === null || edit.kind !== 'update') return edit
  const { settings, password, conflicts } = merge(edit.base, theirs, oursOf(edit))
  if (conflicts.length === 0) return edit
  const isSecret = password || conflicts.includes('privacy')
  return {
    ...edit,
    settings: { ...settings, ...pickNamed(edit.settings, conflicts) },
    sealed: isSecret ? edit.sealed : null,
  }
}

/** Null unless both sides and the base are known. Known lists are in conflict only if one side has cleared the list. */
export function linesOfBothSides(edit: Edit, theirs: WebsiteRecord, unit: SettingName): string[] | null {
  if (unit !== 'exclude_ips' && unit !== 'exclude_params') return null
  const [base, remote, ours] = [edit.base.settings[unit], theirs[unit], edit.settings[unit]]
  if (base === undefined || remote === undefined || ours === undefined) return null
  return mergeLines({ base, theirs: remote, ours })
}

/** Offers `both` only for a list of which both sides and their base are known. */
export const choicesOf = (edit: Edit, theirs: WebsiteRecord, unit: SettingName): UnitChoice[] =>
  linesOfBothSides(edit, theirs, unit) === null ? ['mine', 'theirs'] : ['mine', 'theirs', 'both']

/**
 * Returns the decisions that a parked edit offers besides correcting, discarding and sending it again. If the user has deleted the
 * new website since, the existing one can only be deleted, not used.
 */
export function resolveWaysOf(store: Pick<OutboxStore, 'editsOf'>, edit: Edit): ResolveWay[] {
  const { kind, standing } = edit
  if (standing.state !== 'parked') return []
  const isUnwanted = kind === 'create' && store.editsOf(edit.website).at(-1)?.kind === 'delete'
  switch (standing.reason) {
    case 'conflict':
      if (kind === 'delete') return ['delete', 'keep']
      return conflictOf(edit) === null ? [] : ['units']
    case 'gone':
    case 'vanished':
      return ['recreate']
    case 'adopt':
    case 'domain-taken':
      if (kind !== 'create' || standing.theirs === null) return []
      return isUnwanted ? ['delete'] : ['adopt']
    case 'appeared':
      if (standing.theirs === null) return []
      return isUnwanted ? ['delete'] : ['adopt', 'delete']
    default:
      return []
  }
}

/** True if the user has to type the statistics password, because the service never shows it. */
export const needsPasswordToRecreate = (ways: readonly ResolveWay[], edit: Edit, website: Website): boolean =>
  ways.includes('recreate') &&
  settingsToRecreate(edit, website).privacy === PRIVACY.password &&
  (edit.sealed === null || edit.sealed.length === 0)

/** Returns whether the website has a password. Empty if the service does not show it. */
const passwordFlagOf = ({ password }: WebsiteRecord): Side => (password === undefined ? {} : { password })

const sideOf = (record: WebsiteRecord): Side => ({ ...pickSettings(record), ...passwordFlagOf(record) })
