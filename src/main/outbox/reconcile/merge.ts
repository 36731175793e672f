import {
  PRIVACY,
  settingNames,
  type SettingName,
  type WebsiteRecord,
  type WebsiteSettings,
} from '../../../shared/website.ts'
import { isSameIgnoringOrder } from '../model/compare.ts'
import type { Base, Edit, PossiblySentRequest } from '../model/edit.ts'
import { isClearedAndChanged, mergeLines, mergePossiblySentLines } from '../model/merge-lines.ts'
import { possiblySentOf } from '../model/possibly-sent.ts'

type Settings = Partial<WebsiteSettings>

/** The values that we want to set. */
export interface Ours {
  settings: Settings
  password: boolean
  /** Earlier requests that may have been applied. */
  possiblySent: readonly PossiblySentRequest[]
  /** Fields whose values come from an undo: a list that becomes empty by an undo was not cleared by the user. */
  undone: readonly SettingName[]
}

/** The result of a merge: the values that are still to be sent, and the conflicts. */
export interface Merged {
  settings: Settings
  password: boolean
  /** The fields that only the user can decide. `privacy` stands for privacy and password, which are decided together. */
  conflicts: SettingName[]
}

/** The decision about one field: send nothing, ask the user, or send a value. */
type UnitDecision = 'nothing' | 'conflict' | { send: WebsiteSettings[SettingName] }

/** Returns our side of a merge: the values of an edit. */
export const oursOf = (edit: Pick<Edit, 'settings' | 'sealed' | 'note'>): Ours => ({
  settings: edit.settings,
  password: edit.sealed !== null,
  possiblySent: possiblySentOf(edit),
  undone: settingNames.filter((name) => isFieldFromUndo(edit, name)),
})

/** True if an undo has set the field last, even if the edit has saves of other fields. */
const isFieldFromUndo = ({ note = {} }: Pick<Edit, 'note'>, name: SettingName): boolean =>
  note.isUndo === true ||
  (note.takesBack?.some(({ save }) => save.after[name] !== undefined) === true &&
    !note.saves?.some(({ after }) => after[name] !== undefined))

/**
 * Merges each field three ways on base, theirs and ours (docs/sync.md#merging). A field that we don't change is never sent. A
 * field of which another value may have been applied is always sent, unless there is a conflict.
 */
export function merge(base: Base, theirs: WebsiteRecord, { settings, password, possiblySent, undone }: Ours): Merged {
  const merged: Merged = { settings: {}, password: false, conflicts: [] }
  for (const name of settingNames) {
    const ours = settings[name]
    if (ours === undefined) continue
    const isSecret = name === 'privacy' && password
    const sides = { base: base.settings[name], theirs: theirs[name], ours, isUndo: undone.includes(name) }
    const moved = hasOtherUpdatedAt(base, theirs)
    const requested = possiblySent.filter((request) => request.settings[name] !== undefined)
    let decided: UnitDecision
    if (isSecret) decided = decideSecret(sides, moved)
    else if (requested.length > 0) decided = decidePossiblySent(name, sides, moved, requested)
    else decided = decide(name, sides, moved)
    if (decided === 'conflict') merged.conflicts.push(name)
    else if (decided !== 'nothing') {
      Object.assign(merged.settings, { [name]: decided.send })
      merged.password ||= isSecret
    }
  }
  return merged
}

/** True if the merge leaves nothing to send and nothing to ask. */
export const isEmptyMerge = ({ settings, conflicts }: Merged): boolean =>
  Object.keys(settings).length === 0 && conflicts.length === 0

/**
 * True if the record's `updated_at` isn't that of the base. False if the service has no times, because a change is unknown then
 * (docs/sync.md#write-only-fields).
 */
export const hasOtherUpdatedAt = (base: Pick<Base, 'updated_at'>, theirs: Pick<WebsiteRecord, 'updated_at'>): boolean =>
  base.updated_at !== undefined && theirs.updated_at !== undefined && base.updated_at !== theirs.updated_at

type Value = WebsiteSettings[SettingName]

/** The three values of one field. Undefined if the service does not show the field, or did not show it to the user. */
interface UnitSides {
  base: Value | undefined
  theirs: Value | undefined
  ours: Value
  isUndo: boolean
}

/** For a field without a new password and without given-up requests. `moved`: the result of {@link hasOtherUpdatedAt}. */
function decide(name: SettingName, { base, theirs, ours, isUndo }: UnitSides, moved: boolean): UnitDecision {
  if (theirs === undefined) return moved ? 'conflict' : { send: ours }
  const same = (a: Value, b: Value) => isSameIgnoringOrder({ [name]: a }, { [name]: b }, name)
  if (same(theirs, ours)) return 'nothing'
  // The user never saw a value, so any change of the record may matter to them.
  if (base === undefined) return moved ? 'conflict' : { send: ours }
  if (Array.isArray(base) && Array.isArray(theirs) && Array.isArray(ours)) {
    const sides = { base, theirs, ours }
    if (!isUndo && isClearedAndChanged(sides)) return 'conflict'
    const lines = mergeLines(sides)
    return same(lines, theirs) ? 'nothing' : { send: lines }
  }
  if (same(theirs, base)) return { send: ours }
  return same(ours, base) ? 'nothing' : 'conflict'
}

/** Like {@link decide}, but sends the field unless there is a conflict. A remote value from our requests counts as ours. */
function decidePossiblySent(
  name: SettingName,
  { base, theirs, ours, isUndo }: UnitSides,
  moved: boolean,
  requested: readonly PossiblySentRequest[],
): UnitDecision {
  const isTheirs = (value: Value) =>
    theirs !== undefined && isSameIgnoringOrder({ [name]: theirs }, { [name]: value }, name)
  if (theirs === undefined || base === undefined) return moved && !isTheirs(ours) ? 'conflict' : { send: ours }
  if (Array.isArray(base) && Array.isArray(theirs) && Array.isArray(ours)) {
    const sides = { base, theirs, ours }
    if (!isUndo && isClearedAndChanged(sides)) return 'conflict'
    const lists = requested.flatMap((request) => {
      const [before, lines]: [Value, Value] = [request.before[name] ?? base, request.settings[name] ?? base]
      return Array.isArray(before) && Array.isArray(lines) ? [{ before, lines }] : []
    })
    return { send: mergePossiblySentLines(sides, lists) }
  }
  const isKnown = isTheirs(ours) || isTheirs(base) || requested.some(({ settings }) => isTheirs(settings[name] ?? base))
  return isKnown ? { send: ours } : 'conflict'
}

/**
 * Decides about a new password, which is sent with `privacy`. The service never shows a password, so another client may have set
 * one whenever the record has `moved`: that is a conflict, like another remote privacy. If the remote privacy is that of the base
 * and not "password", there is no password to overwrite, so the edit is sent even if the record has moved.
 */
function decideSecret({ base, theirs, ours }: UnitSides, moved: boolean): UnitDecision {
  const wasUnprotected = base !== undefined && base !== PRIVACY.password
  if (wasUnprotected && theirs === base) return { send: ours }
  const isChanged = base !== undefined && theirs !== undefined && base !== theirs
  return isChanged || moved ? 'conflict' : { send: ours }
}
