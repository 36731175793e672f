import type { EditView } from '../../shared/edit.ts'
import { fieldNames, type FieldName } from '../../shared/website.ts'
import { settingsToAdopt } from './resolve/adopt.ts'
import { conflictOf, resolvedWithMine, needsPasswordToRecreate, resolveWaysOf } from './resolve/conflict.ts'
import { isOtherWebsite } from './model/compare-with-record.ts'
import { hasTheirs, isSent, isUnreadable, type Edit, theirsOf } from './model/edit.ts'
import type { DescribedRequest, OutboxPorts, OutboxStore, Website } from './ports.ts'
import { canUndoUnsent, isPossiblyCreated, sendsSameValues, reverseOfPossiblySent } from './model/possibly-sent.ts'
import { draftOf } from './deliver/send.ts'
import { isAllUndone, savesOf } from './model/saves.ts'
import type { EditStatusOf } from './schedule/edit-status.ts'
import { canUndoSent } from './enqueue/undo-sent.ts'

/** Has a fixed length, so that it does not tell the length of the password. */
export const MASKED = '••••••••'

/** Returns an edit for the Pending screen, with the request as it will be sent and without secrets. */
export function presentEdit(
  { clock, requests, store }: Pick<OutboxPorts, 'clock' | 'requests' | 'store'>,
  edit: Edit,
  website: Website,
  statusOf: EditStatusOf,
): EditView {
  const { state, reason, error, until } = statusOf(edit)
  const asSent = resolvedWithMine(edit)
  const theirs = theirsOf(edit)
  const ways = resolveWaysOf(store, edit)
  const { method, path, form = [] } = requestToAdopt(store, requests, edit) ?? requestOf(requests, asSent, website)
  return {
    id: edit.id,
    website: edit.website,
    domain: website.domain,
    kind: edit.kind,
    state,
    reason,
    error,
    settings: edit.kind === 'delete' ? {} : asSent.settings,
    fields: pendingFields(edit),
    password: edit.kind !== 'delete' && edit.sealed !== null,
    request: { method, path, form },
    changedAt: Math.max(edit.changedAt, savesOf(edit).at(-1)?.at ?? 0),
    ...(edit.kind !== 'delete' && (edit.note?.isUndo === true || isAllUndone(edit)) && { isUndo: true }),
    nextAt: until === null ? null : Math.round(clock.wall() + until - clock.monotonic()),
    ...(isSetBackByDiscard(edit) && { possiblySent: true }),
    conflict: conflictOf(edit),
    theirsAt: theirsAtOf(edit),
    ways,
    needsPassword: needsPasswordToRecreate(ways, edit, website),
    ...(edit.note?.answered === true && { answered: true }),
    ...(theirs !== null && isOtherWebsite(edit.base, theirs) && { madeForDomain: edit.base.domain }),
    can: {
      undo: canUndoUnsent(edit) || canUndoSent(store, edit),
      discard: edit.standing.state === 'parked' || isUnreadable(edit),
      sendNow:
        (edit.standing.state === 'queued' && reason !== 'paused') ||
        isResendable(edit) ||
        (isSent(edit) && until !== null),
    },
  }
}

/** True if discarding the edit changes something back on the service. */
function isSetBackByDiscard(edit: Edit): boolean {
  if (isPossiblyCreated(edit)) return !hasTheirs(edit.standing)
  const reverse = reverseOfPossiblySent(edit, { theirs: theirsOf(edit), discarding: true })
  return reverse !== null && !sendsSameValues(reverse, edit)
}

const theirsAtOf = ({ standing }: Edit): number | null =>
  standing.state === 'parked' ? (standing.theirsAt ?? null) : null

const pendingFields = (edit: Edit): FieldName[] => fieldNames.filter((name) => sendsField(edit, name))

/** True if the edit's request contains the field. */
export function sendsField({ kind, settings, sealed }: Edit, name: FieldName): boolean {
  if (kind === 'delete') return false
  if (name === 'domain') return kind === 'create'
  return name === 'password' ? sealed !== null : settings[name] !== undefined
}

/** True if an edit is parked for a reason that may have passed, so that the user can try again. */
export const isResendable = ({ standing }: Edit): boolean =>
  standing.state === 'parked' && !['password', 'conflict', 'appeared', 'vanished'].includes(standing.reason)

/**
 * Returns the request that is sent if the user chooses an existing website instead of the create, or to delete it if they can only
 * do that; null if they can do neither.
 */
function requestToAdopt(store: OutboxStore, requests: OutboxPorts['requests'], edit: Edit): DescribedRequest | null {
  const theirs = theirsOf(edit)
  if (theirs === null || edit.kind !== 'create') return null
  const ways = resolveWaysOf(store, edit)
  if (!ways.includes('adopt')) return ways.includes('delete') ? requests.buildDeleteRequest(theirs.id) : null
  const existing = store.websiteOfId(theirs.id)
  const pending = existing === null ? [] : store.editsOf(existing.key).filter(({ id }) => id !== edit.id)
  const settings = settingsToAdopt(pending, edit, theirs)
  const secret = 'privacy' in settings && edit.sealed !== null ? { password: MASKED } : {}
  return requests.buildUpdateRequest(theirs.id, { ...settings, ...secret })
}

/** Returns the edit's request, with its password masked. */
function requestOf(requests: OutboxPorts['requests'], edit: Edit, website: Website): DescribedRequest {
  const secret = edit.sealed === null ? {} : { password: MASKED }
  // The id is unknown until the create is acknowledged.
  const id = website.id ?? '…'
  if (edit.kind === 'create') return requests.buildCreateRequest({ ...draftOf(edit, website.domain), ...secret })
  if (edit.kind === 'update') return requests.buildUpdateRequest(id, { ...edit.settings, ...secret })
  return requests.buildDeleteRequest(id)
}
