import {
  PRIVACY,
  settingNames,
  type SettingName,
  type WebsiteRecord,
  type WebsiteSettings,
} from '../../../shared/website.ts'
import { isSame, isSameIgnoringOrder, namesIn, pickNamed, pickCommon } from './compare.ts'
import { savesOf } from './saves.ts'
import { hasTheirs, requeued, type Edit, type ParkReason, type PossiblySentRequest } from './edit.ts'

type Settings = Partial<WebsiteSettings>

/** Returns the requests of an edit that were given up with unknown outcome, the oldest first. */
export const possiblySentOf = ({ note }: Pick<Edit, 'note'>): readonly PossiblySentRequest[] => note?.possiblySent ?? []

/** True if one of these given-up requests contained the field. */
export const isPossiblySent = (requests: readonly PossiblySentRequest[], name: SettingName): boolean =>
  requests.some(({ settings }) => settings[name] !== undefined)

/** True if the create may have been applied although the service has never confirmed it. */
export const isPossiblyCreated = ({ kind, sent }: Pick<Edit, 'kind' | 'sent'>): boolean =>
  kind === 'create' && sent?.doubted === true

/** Adds the update's own request to those that may have been applied. Returns any other edit unchanged. */
export function withPossiblySentRequest(edit: Edit): Edit {
  if (edit.kind !== 'update') return edit
  const before = pickCommon(edit.base.settings, edit.settings)
  const request = { settings: edit.settings, password: edit.sealed !== null, before }
  const earlier = possiblySentOf(edit)
  const isKnown = earlier.some((one) => JSON.stringify(one) === JSON.stringify(request))
  return isKnown ? edit : { ...edit, note: { ...edit.note, possiblySent: [...earlier, request] } }
}

/**
 * True if the edit sets back a field that an earlier request may have changed. A read of the old value then proves nothing: it
 * may be older than that request.
 */
export const isSetBack = (edit: Pick<Edit, 'settings' | 'note'>, name: SettingName): boolean =>
  possiblySentOf(edit).some(
    ({ settings, before }) =>
      settings[name] !== undefined &&
      isSameIgnoringOrder(before, edit.settings, name) &&
      !isSameIgnoringOrder(settings, edit.settings, name),
  )

/**
 * Returns the update that takes back what may have been applied of an edit, or null if there is nothing. A write-only field has
 * no known earlier value, so it stays in the update unless `discarding`. `theirs`: the record that the user saw; values in it
 * that none of our requests contained are kept, except in lists.
 */
export function reverseOfPossiblySent(
  edit: Edit,
  { theirs = null, discarding = false }: { theirs?: WebsiteRecord | null; discarding?: boolean } = {},
): Edit | null {
  if (edit.kind !== 'update') return null
  const requests = earlierRequestsOf(edit)
  const settings: Settings = {}
  const base: Settings = {}
  for (const name of settingNames) {
    const carried = requests.filter((request) => request.settings[name] !== undefined)
    const before = carried[0]?.before[name]
    if (before === undefined) continue
    const hasRemoteValue =
      theirs?.[name] !== undefined &&
      !Array.isArray(before) &&
      !carried.some((one) => isSameIgnoringOrder(one.settings, theirs, name))
    if (!hasRemoteValue && carried.every((request) => isSameIgnoringOrder(request.settings, request.before, name)))
      continue
    const value = hasRemoteValue ? theirs[name] : before
    Object.assign(settings, { [name]: value })
    // If a read has shown a value of one of our requests, that value is the base. Other values of the service are remote changes,
    // which the merge has to see.
    const isShown =
      !Array.isArray(before) && carried.some((one) => isSameIgnoringOrder(one.settings, edit.base.settings, name))
    const reached = isShown ? edit.base.settings[name] : edit.note?.resent?.settings[name]
    Object.assign(base, { [name]: hasRemoteValue ? value : (reached ?? before) })
  }
  const writeOnly = discarding ? { settings: {}, sealed: null } : possiblySentWriteOnly(edit, settings)
  if (Object.keys(settings).length + Object.keys(writeOnly.settings).length === 0) return null
  return {
    ...requeued(edit),
    settings: { ...settings, ...writeOnly.settings },
    sealed: writeOnly.sealed,
    base: { ...edit.base, settings: { ...edit.base.settings, ...base } },
  }
}

/** The write-only values of an edit that may have been sent; a password only where `settings` keep the website protected. */
function possiblySentWriteOnly(edit: Edit, settings: Settings): Pick<Edit, 'settings' | 'sealed'> {
  const requests = possiblySentOf(edit)
  const values: Settings = {}
  for (const { settings, before } of requests) {
    const writeOnly = namesIn(settings).filter((name) => before[name] === undefined)
    Object.assign(values, pickNamed(settings, writeOnly))
  }
  const isProtected = (settings.privacy ?? edit.settings.privacy) === PRIVACY.password
  if (edit.sealed === null || !isProtected || !requests.some(({ password }) => password))
    return { settings: values, sealed: null }
  return { settings: { ...values, privacy: PRIVACY.password }, sealed: edit.sealed }
}

/** Includes the request that was acknowledged before the rest was sent again. */
function earlierRequestsOf(edit: Edit): readonly PossiblySentRequest[] {
  const resent = edit.note?.resent
  return [...(resent === undefined ? [] : [resent]), ...possiblySentOf(edit)]
}

/** Reasons for which an edit can be parked with none of its requests applied. {@link canUndoParked} checks that further. */
const UNAPPLIED_REASONS: readonly ParkReason[] = [
  'refused',
  'failing',
  'domain-taken',
  'website-limit',
  'password',
  'conflict',
]

/** True if none of the parked edit's requests can have been applied, so that its last save can be taken out. */
function canUndoParked({ kind, standing, sent, note = {} }: Edit): boolean {
  if (standing.state !== 'parked' || !UNAPPLIED_REASONS.includes(standing.reason)) return false
  if (sent?.doubted === true || sent?.restored === true || note.possiblySent !== undefined) return false
  return kind === 'create' || (kind === 'update' && note.resent === undefined && (note.saves ?? []).length > 0)
}

/**
 * True if Undo changes this edit itself instead of queuing another one. False for a parked edit and for a queued create if a
 * request of it may have been applied, for a parked delete, and for an update that only reverses its own earlier requests.
 */
export function canUndoUnsent(edit: Edit): boolean {
  if (canUndoParked(edit)) return true
  if (edit.standing.state !== 'queued' || isPossiblyCreated(edit)) return false
  if (savesOf(edit).length > 1) return true
  const back = reverseOfPossiblySent(edit)
  return back === null || !sendsSameValues(back, edit)
}

/** Compares whether there is a password, but not the passwords. */
export const sendsSameValues = (one: Edit, other: Edit): boolean =>
  (one.sealed === null) === (other.sealed === null) &&
  settingNames.every(
    (name) => one.settings[name] === other.settings[name] || isSame(one.settings, other.settings, name),
  )

/** Returns a create unchanged that was never sent, or that is parked because its website was found. */
export const markedForLookup = (create: Edit): Edit =>
  hasTheirs(create.standing) || create.sent === null
    ? create
    : { ...requeued(create), sent: { ...create.sent, failures: 0, unclear: true } }
