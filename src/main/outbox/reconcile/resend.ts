import {
  createDefaults,
  PRIVACY,
  settingNames,
  type SettingName,
  type WebsiteRecord,
  type WebsiteSettings,
} from '../../../shared/website.ts'
import { newEdit, type EditStamp } from '../enqueue/commands.ts'
import { isSameIgnoringOrder, pickCommon } from '../model/compare.ts'
import { baseOf, type Base, type Edit, type EditNote } from '../model/edit.ts'
import { isSetBack } from '../model/possibly-sent.ts'
import { savesUndoableOnceSent } from '../model/saves.ts'
import { updatedAtForLaterEdits } from '../model/service-time.ts'
import { isSameSealing } from '../late-writes/remember.ts'
import type { LateWrite } from '../model/late-write.ts'

/** The part of an acknowledged edit that is sent a second time. Nothing is sent a third time. */
export interface ResendContent {
  settings: Partial<WebsiteSettings>
  password: boolean
}

/** Returns our values that the service ignored, to send once more (docs/sync.md#mismatches). Null if none, or after a resend. */
export const ignoredValuesToResend = (edit: Edit, ignored: Partial<WebsiteSettings>): ResendContent | null =>
  Object.keys(ignored).length === 0 || edit.note?.resent !== undefined
    ? null
    : { settings: pickCommon(edit.settings, ignored), password: false }

/** A request that may have created a website that was found. */
type PossibleCreate = Pick<LateWrite, 'settings' | 'sealed'>

/** Stands for a create of another client, whose values are unknown: all defaults, without a password. */
const UNKNOWN_CLIENT: PossibleCreate = { settings: createDefaults, sealed: null }

/**
 * Returns what to send again after a found website was judged to be ours: the write-only values of the create, and what the user
 * has changed since. Sending it again does no harm. `earlier`: the requests that may have created the website.
 */
export const valuesToResendAfterLookup = (
  create: Edit,
  remote: WebsiteRecord,
  earlier: readonly PossibleCreate[],
): ResendContent | null => valuesLackedByRecord(create, remote, [UNKNOWN_CLIENT, ...earlier])

/** Returns the values of a create that a website lacks, or may lack if one of `makers` has created it. */
function valuesLackedByRecord(
  create: Edit,
  remote: WebsiteRecord,
  makers: readonly PossibleCreate[],
): ResendContent | null {
  const rest = settingNames.filter((name) =>
    remote[name] === undefined
      ? makers.some(({ settings }) => !isSameIgnoringOrder(create.settings, settings, name))
      : !isSameIgnoringOrder(create.settings, remote, name),
  )
  const password = create.sealed !== null && makers.some(({ sealed }) => !isSameSealing(sealed, create.sealed))
  if (rest.length === 0 && !password) return null
  const settings = Object.fromEntries(rest.map((name) => [name, create.settings[name]]))
  return { settings: { ...settings, ...(password && { privacy: PRIVACY.password }) }, password }
}

/**
 * Returns the write-only values to send again for a create that was accepted with an empty response, if the website found may
 * come from another client or an `earlier` request. `isAsSent`: the website shows all values of the create. If the website has
 * changed since it was created, the user is asked before the values are sent.
 */
export function writeOnlyValuesToResend(
  create: Edit,
  remote: WebsiteRecord,
  isAsSent: boolean,
  earlier: readonly PossibleCreate[],
): ResendContent | null {
  const again = valuesLackedByRecord(create, remote, isAsSent ? earlier : [UNKNOWN_CLIENT, ...earlier])
  const writeOnly = Object.entries(again?.settings ?? {}).filter(([name]) => remote[name as SettingName] === undefined)
  const password = again?.password === true && (remote.privacy ?? PRIVACY.password) === PRIVACY.password
  if (writeOnly.length === 0 && !password) return null
  const settings = { ...Object.fromEntries(writeOnly), ...(password && { privacy: PRIVACY.password }) }
  return { settings, password }
}

/** Returns the edit that sends values again. For a create, it is an update behind it, with the id of `stamp` and the saves of the create. */
export function editToResend(edit: Edit, remote: WebsiteRecord, again: ResendContent, stamp: EditStamp): Edit {
  const { settings, password } = again
  const sealed = password ? edit.sealed : null
  const base = baseOf(pickCommon(remote, settings), updatedAtForLaterEdits(edit, remote), remote.domain)
  if (edit.kind === 'create') {
    const update = newEdit(edit.website, stamp, { kind: 'update', settings, sealed, base })
    const saves = savesUndoableOnceSent(edit)
    const note = {
      resent: { settings: {}, password: false, before: {} },
      ...(saves.length > 0 && { saves, hasOther: true }),
    }
    return { ...update, seq: edit.seq, note }
  }
  // The request was acknowledged, so none of its values is in doubt.
  return {
    ...edit,
    settings,
    sealed,
    base,
    standing: { state: 'queued' },
    note: { ...noteWithAppliedValues(edit), possiblySent: undefined },
  }
}

/** Leaves only what a read (`base`) does not show as applied. Returns the same object if nothing is shown as applied. */
export function unappliedRestOf(edit: Edit, base: Base): Edit {
  const hasArrived = ([name]: [string, unknown]) =>
    isSameIgnoringOrder(base.settings, edit.settings, name as SettingName) &&
    !isSameIgnoringOrder(edit.base.settings, edit.settings, name as SettingName) &&
    !isSetBack(edit, name as SettingName) &&
    !(name === 'privacy' && edit.sealed !== null)
  const arrived = Object.fromEntries(Object.entries(edit.settings).filter(hasArrived))
  if (Object.keys(arrived).length === 0) return edit
  const left = Object.fromEntries(Object.entries(edit.settings).filter((one) => !hasArrived(one)))
  return { ...edit, settings: left, note: noteWithAppliedValues({ ...edit, settings: arrived, sealed: null }) }
}

/** Returns the note for the rest of an edit, from the part that the service has applied. */
const noteWithAppliedValues = ({ settings, sealed, base, note }: Edit): EditNote => ({
  ...note,
  resent: {
    settings: { ...note?.resent?.settings, ...settings },
    password: sealed !== null || note?.resent?.password === true,
    before: { ...base.settings, ...note?.resent?.before },
  },
})
