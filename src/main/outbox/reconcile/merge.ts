import {
  PRIVACY,
  settingNames,
  type SettingName,
  type WebsiteRecord,
  type WebsiteSettings,
} from '../../../shared/website.ts'
import { meansSame } from '../model/compare.ts'
import type { Base, Edit, PossiblySentRequest } from '../model/edit.ts'
import { isClearedAndChanged, mergeLines, mergePossiblySentLines } from '../model/merge-lines.ts'
import { possiblySentOf } from '../model/possibly-sent.ts'

type Settings = Partial<WebsiteSettings>

/**
 * The values that we want to set. `password` is true if a new password goes with them; `possiblySent` are earlier requests that
 * may have been applied.
 */
export interface Ours {
  settings: Settings
  password: boolean
  possiblySent: readonly PossiblySentRequest[]
  /** The fields whose values come from an undo: a list that becomes empty that way was not cleared by the user. */
  undone: readonly SettingName[]
}

/** The result of a merge: the values to send, and the units that only the user can decide. */
export interface Merged {
  settings: Settings
  password: boolean
  /** The units in conflict. `privacy` stands for privacy and password, which form one unit. */
  conflicts: SettingName[]
}

/** The decision about one unit: send nothing, let the user decide, or send this value. */
type UnitDecision = 'nothing' | 'conflict' | { send: WebsiteSettings[SettingName] }

/** Returns what an edit wants to set, as an argument of {@link merge}. */
export const oursOf = (edit: Pick<Edit, 'settings' | 'sealed' | 'note'>): Ours => ({
  settings: edit.settings,
  password: edit.sealed !== null,
  possiblySent: possiblySentOf(edit),
  undone: settingNames.filter((name) => isFieldFromUndo(edit, name)),
})

/** True if the value of a field comes from an undo, also in an edit that has saves of other fields too. */
const isFieldFromUndo = ({ note = {} }: Pick<Edit, 'note'>, name: SettingName): boolean =>
  note.isUndo === true ||
  (note.takesBack?.some(({ save }) => save.after[name] !== undefined) === true &&
    !note.saves?.some(({ after }) => after[name] !== undefined))

/**
 * Merges each unit three ways on base, theirs and ours (docs/sync.md#merging). A unit that we don't touch is never sent. A
 * unit of which another value may have been applied is always sent, unless there is a conflict.
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

/** True if a merge leaves nothing to send and nothing for the user to decide. */
export const isEmptyMerge = ({ settings, conflicts }: Merged): boolean =>
  Object.keys(settings).length === 0 && conflicts.length === 0

/**
 * True if another client may have changed the record since the user saw it or we last wrote it. False if the service
 * has no times, because the change is then unknown (docs/sync.md#write-only-fields).
 */
export const hasOtherUpdatedAt = (base: Pick<Base, 'updated_at'>, theirs: Pick<WebsiteRecord, 'updated_at'>): boolean =>
  base.updated_at !== undefined && theirs.updated_at !== undefined && base.updated_at !== theirs.updated_at

type Value = WebsiteSettings[SettingName]

/** The three values of one unit. A value is undefined if the service does not show it, or did not show it to the user. */
interface UnitSides {
  base: Value | undefined
  theirs: Value | undefined
  ours: Value
  isUndo: boolean
}

/**
 * Decides about a unit that has no new password and is in none of the requests that may have been applied. `moved`: the result
 * of {@link hasOtherUpdatedAt}.
 */
function decide(name: SettingName, { base, theirs, ours, isUndo }: UnitSides, moved: boolean): UnitDecision {
  if (theirs === undefined) return moved ? 'conflict' : { send: ours }
  const same = (a: Value, b: Value) => meansSame({ [name]: a }, { [name]: b }, name)
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

/**
 * Decides like {@link decide}, but sends the unit even if the service seems to have our value. A value on the service that one of
 * our requests carried counts as ours, not as a remote change. `requested` are the requests that may have been applied.
 */
function decidePossiblySent(
  name: SettingName,
  { base, theirs, ours, isUndo }: UnitSides,
  moved: boolean,
  requested: readonly PossiblySentRequest[],
): UnitDecision {
  const isTheirs = (value: Value) => theirs !== undefined && meansSame({ [name]: theirs }, { [name]: value }, name)
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
 * one in any record that has `moved`. That is a conflict, and so is another remote privacy. If the remote privacy is the same as in
 * the base and is not "password", there is no password to overwrite, and the edit is sent even if the record has moved.
 */
function decideSecret({ base, theirs, ours }: UnitSides, moved: boolean): UnitDecision {
  const wasUnprotected = base !== undefined && base !== PRIVACY.password
  if (wasUnprotected && theirs === base) return { send: ours }
  const isChanged = base !== undefined && theirs !== undefined && base !== theirs
  return isChanged || moved ? 'conflict' : { send: ours }
}
