import { listNames } from '../../../shared/fields.ts'
import { PRIVACY, settingNames, type SettingName, type WebsiteSettings } from '../../../shared/website.ts'
import { isSame, isSameIgnoringOrder, namesIn, pickNamed } from '../model/compare.ts'
import { editAfterUserChange, type Base, type Edit, type EditNote } from '../model/edit.ts'
import { mergeLists } from '../model/merge-lines.ts'
import { joinedSaves } from '../model/saves.ts'
import { isPossiblyCreated, isPossiblySent, possiblySentOf } from '../model/possibly-sent.ts'

/** The part of an edit that {@link coalesce} merges into an earlier edit. */
export type LaterEdit = Pick<Edit, 'kind' | 'settings' | 'sealed' | 'base' | 'note' | 'changedAt'>

/** True for a delete behind a create that may have been applied: its website is looked up first. */
export const staysBehind = (unsent: Edit, later: Pick<Edit, 'kind'>): boolean =>
  later.kind === 'delete' && isPossiblyCreated(unsent)

/**
 * Merges a later edit of a website into the unsent one (docs/sync.md#coalescing). Returns null if nothing is left to send. Never
 * call it for a later edit that {@link staysBehind}: a create that may have been applied would be dropped. A parked edit may be
 * sent again, because the user has changed it. `remote`: the service's current values of fields that the later edit may set back
 * (see `currentValuesForCoalesce`), or null if unknown.
 */
export function coalesce(unsent: Edit, later: LaterEdit, remote: Partial<WebsiteSettings> | null = {}): Edit | null {
  if (later.kind === 'delete') return supersede(unsent, later)
  const merged = mergedBase(unsent, later)
  const base = { ...merged, settings: correctBaseForSetBack(merged.settings, unsent, later, remote) }
  return pruneUnchanged({
    ...editAfterUserChange(unsent),
    settings: {
      ...unsent.settings,
      ...later.settings,
      // Lists are merged by line: only lines that the user added or removed since they saw the pending list are taken over.
      ...mergeLists({ base: later.base.settings, theirs: unsent.settings, ours: later.settings }),
    },
    sealed: later.sealed ?? unsent.sealed,
    base,
    ...mergedNote(unsent, withFormerBase(later, unsent, base)),
    // A create keeps the time at which the website was added. Each later save has a time of its own.
    changedAt: unsent.kind === 'create' ? unsent.changedAt : later.changedAt,
  })
}

/**
 * Returns the base of the merged edit: the values that the user saw on the service. A pending field keeps its earlier base,
 * because the user saw its pending value. `updated_at` is that of the earlier edit. If the later edit has an older one and sets
 * a value that the service does not show, that one is taken. A create has no base.
 */
function mergedBase({ kind, base, settings }: Edit, later: LaterEdit): Base {
  if (kind === 'create') return base
  const untouched = settingNames.filter((name) => settings[name] === undefined)
  const isWriteOnly = (name: SettingName) =>
    later.settings[name] !== undefined && later.base.settings[name] === undefined
  const { updated_at } = later.base
  const isNewer = Date.parse(updated_at ?? '') > Date.parse(base.updated_at ?? '')
  return {
    ...later.base,
    ...base,
    seen: later.base.seen,
    settings: { ...base.settings, ...pickNamed(later.base.settings, untouched) },
    ...(updated_at !== undefined &&
      !isNewer &&
      (later.sealed !== null || untouched.some(isWriteOnly)) && { updated_at }),
  }
}

/** If the merge changes the base of a pending field, its former base stays in the later save, for the undo of that save. */
function withFormerBase(later: LaterEdit, { settings, base: former }: Edit, base: Base): LaterEdit {
  const saves = later.note?.saves ?? []
  const save = saves.at(-1)
  const names = namesIn(later.settings).filter(
    (name) =>
      settings[name] !== undefined &&
      former.settings[name] !== undefined &&
      !isSameIgnoringOrder(former.settings, base.settings, name),
  )
  if (save === undefined || names.length === 0) return later
  const lastSave = { ...save, base: pickNamed(former.settings, names) }
  return { ...later, note: { ...later.note, saves: [...saves.slice(0, -1), lastSave] } }
}

function mergedNote({ note: earlier = {} }: Edit, { note: later = {} }: LaterEdit): { note?: EditNote } {
  const overwrites = { ...earlier.overwrites, ...later.overwrites }
  const also = new Set([...(earlier.also ?? []), ...(later.also ?? [])])
  const possiblySent = [...(earlier.possiblySent ?? []), ...(later.possiblySent ?? [])]
  const saves = joinedSaves(earlier.saves ?? [], later.saves ?? [])
  const isOther = (one: EditNote) => one.hasOther === true || (saves.length > 0 && (one.saves ?? []).length === 0)
  // If a save was dropped because there were too many, some values of the edit belong to no kept save.
  const isCut = saves.length < (earlier.saves ?? []).length + (later.saves ?? []).length
  const hasOther = isOther(earlier) || isOther(later) || isCut
  const takesBack = [...(earlier.takesBack ?? []), ...(later.takesBack ?? [])]
  const note: EditNote = {
    ...earlier,
    ...(takesBack.length > 0 && { takesBack }),
    ...(Object.keys(overwrites).length > 0 && { overwrites }),
    ...(also.size > 0 && { also: [...also] }),
    ...(possiblySent.length > 0 && { possiblySent }),
    ...(saves.length > 0 && { saves }),
    ...(hasOther && { hasOther }),
    ...(earlier.isUndo === true && { isUndo: later.isUndo === true }),
    // The user has changed the repair, so it counts as an edit of the user from now on.
    ...(earlier.repairs === true && { repairs: false }),
  }
  return Object.keys(note).length > 0 ? { note } : {}
}

/** Returns `edit` with a note that the edit `gone` was merged into it and is applied with it. */
export function withAbsorbedIds(gone: Edit, edit: Edit): Edit {
  const also = new Set([...(edit.note?.also ?? []), gone.id, ...(gone.note?.also ?? [])])
  return { ...edit, note: { ...edit.note, also: [...also] } }
}

/**
 * Corrects the merged base for fields that the user set back to the base while the service has another value, from a given-up
 * request or another client. Such a field must still be sent, so its base becomes the pending value that the user saw, or is left
 * out if the service's value is unknown. Lists are corrected line by line.
 */
function correctBaseForSetBack(
  merged: Partial<WebsiteSettings>,
  { kind, base, settings: sent, sent: note }: Edit,
  { settings, base: seen }: LaterEdit,
  remote: Partial<WebsiteSettings> | null,
): Partial<WebsiteSettings> {
  if (kind === 'create') return merged
  const differ = (now: Partial<WebsiteSettings>) =>
    settingNames.filter(
      (name) =>
        now[name] !== undefined &&
        isSame(base.settings, settings, name) &&
        !isSameIgnoringOrder(now, base.settings, name),
    )
  const names = differ(remote ?? sent)
  // Write-only fields that a request may have changed. No read shows their values, so they get no base.
  const isRead = note?.doubted === true && remote !== null && Object.keys(remote).length > 0
  const writeOnly = isRead ? differ(sent).filter((name) => remote[name] === undefined) : []
  const left = Object.entries(merged).filter(([name]) => ![...names, ...writeOnly].includes(name as SettingName))
  if (remote === null) return Object.fromEntries(left)
  const setBack = names.map((name) => [name, seen.settings[name]])
  return { ...Object.fromEntries([...left, ...setBack]), ...correctListBases(base, settings, seen, remote) }
}

/**
 * Returns the bases of lists, corrected so that two kinds of lines are sent. The base loses a line that the user put back and
 * the service lacks, and gains a line that the user removed and the service has.
 */
function correctListBases(
  base: Base,
  settings: Partial<WebsiteSettings>,
  seen: Base,
  remote: Partial<WebsiteSettings>,
): Partial<WebsiteSettings> {
  const lists = listNames.flatMap((name) => {
    const [before, shown, ours, now] = [base.settings[name], seen.settings[name], settings[name], remote[name]]
    if (before === undefined || shown === undefined || ours === undefined || now === undefined) return []
    const isPutBack = (line: string) => ours.includes(line) && !shown.includes(line) && !now.includes(line)
    const isTakenAway = (line: string) => now.includes(line) && !ours.includes(line) && !before.includes(line)
    return [[name, [...before.filter((line) => !isPutBack(line)), ...shown.filter(isTakenAway)]]]
  })
  return Object.fromEntries(lists) as Partial<WebsiteSettings>
}

/** Returns the delete with the superseded update, which Undo restores. Null for a create, because both cancel out. */
function supersede(unsent: Edit, removal: LaterEdit): Edit | null {
  if (unsent.kind === 'create') return null
  const { shown, ...base } = mergedBase(unsent, removal)
  return {
    ...unsent,
    kind: 'delete',
    base: { ...base, settings: { ...base.settings, ...shown } },
    standing: { state: 'queued' },
    attempts: 0,
    sent: null,
    changedAt: removal.changedAt,
    note: { ...unsent.note, order: removal.note?.order },
  }
}

/**
 * Removes fields equal to their base, and a password that the chosen privacy does not use. Keeps a field if another value of it
 * may have been applied. Returns null if nothing is left of an update.
 */
export function pruneUnchanged(edit: Edit): Edit | null {
  const { privacy } = edit.settings
  const sealed = privacy !== undefined && privacy !== PRIVACY.password ? null : edit.sealed
  if (edit.kind !== 'update') return { ...edit, sealed }
  const settings = { ...edit.settings, ...(sealed !== null && { privacy: PRIVACY.password }) }
  for (const name of settingNames) {
    if ((name === 'privacy' && sealed !== null) || isPossiblySent(possiblySentOf(edit), name)) continue
    if (isSame(edit.base.settings, settings, name)) Reflect.deleteProperty(settings, name)
  }
  return Object.keys(settings).length === 0 && sealed === null ? null : { ...edit, settings, sealed }
}
