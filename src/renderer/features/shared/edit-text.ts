import { m } from '../../../messages/index.ts'
import { shortDomain } from '../../../shared/display/domain.ts'
import { formatDuration, formatTime, joinSentences, formatNumber } from '../../../shared/display/format.ts'
import { settingsSummary } from '../../../shared/display/settings-summary.ts'
import { heldLabel, stateLabel, type StateLabel } from '../../../shared/display/states.ts'
import type { Conflict, EditKind, EditView, UndoOutcome, WaitReason } from '../../../shared/edit.ts'
import type { AppState } from '../../../shared/state.ts'
import type { BulkUndoQuestion } from '../../app/toasts.svelte.ts'
import type { SettingName } from '../../../shared/website.ts'

const reasonTexts: Record<WaitReason, () => string> = {
  paused: m.pending_hold_paused,
  connection: m.pending_hold_connection,
  key: m.pending_hold_key,
  keychain: m.pending_hold_keychain,
  rate: m.pending_hold_rate,
  budget: m.pending_hold_budget,
  backoff: m.pending_hold_backoff,
  depends: m.pending_hold_depends,
  undo: m.pending_hold_undo,
  refused: m.pending_hold_refused,
  'domain-taken': m.pending_hold_domain_taken,
  'website-limit': m.pending_hold_limit,
  gone: m.pending_hold_gone,
  adopt: m.pending_hold_adopt,
  password: m.pending_hold_password,
  failing: m.pending_hold_failing,
  restored: m.pending_hold_restored,
  unread: m.pending_hold_unread,
  unreadable: m.pending_hold_unreadable,
  appeared: m.pending_hold_appeared,
  vanished: m.pending_hold_vanished,
  conflict: m.pending_hold_conflict,
}

/** True if the service doesn't return its value of the setting. */
const isTheirsWriteOnly = ({ theirs }: Conflict, unit: SettingName): boolean =>
  theirs[unit] === undefined && !(unit === 'privacy' && theirs.password)

/** True if the conflict is only about a new password: the privacy setting hasn't changed at the service. */
const asksOnlyAboutPassword = ({ base, theirs, mine, units }: Conflict): boolean =>
  units.every(({ unit }) => unit === 'privacy') && mine.password === true && base.privacy === theirs.privacy

/** A new website is parked as `gone` if the service has accepted it, but never listed it. */
const goneText = (kind: EditKind): string => (kind === 'create' ? m.pending_hold_unlisted() : m.pending_hold_gone())

/** Returns the text for a reason when only the kind of the edit is known, as in the history. */
export function generalReasonText(reason: WaitReason, kind: EditKind): string {
  if (reason === 'gone') return goneText(kind)
  if (reason === 'domain-taken') return m.activity_domain_taken()
  return reason === 'password' ? m.activity_password_missing() : reasonTexts[reason]()
}

/** True if the existing website can only be deleted, not used, because the user has deleted the new one since. */
export const onlyDeletesExisting = ({ kind, ways }: EditView): boolean =>
  kind === 'create' && ways.includes('delete') && !ways.includes('adopt')

function reasonText(edit: EditView, reason: WaitReason): string {
  const { kind, domain, conflict, ways, answered, madeForDomain } = edit
  if (reason === 'domain-taken' && onlyDeletesExisting(edit)) return m.pending_hold_exists_delete()
  if (reason === 'domain-taken' && ways.includes('adopt')) return m.pending_hold_exists()
  if (reason === 'website-limit') return joinSentences([m.pending_hold_limit(), m.parked_advice_website_limit()])
  if (reason === 'gone') return goneText(kind)
  if (reason !== 'conflict') return reasonTexts[reason]()
  if (madeForDomain !== undefined)
    return m.pending_hold_imported({ imported: shortDomain(madeForDomain), domain: shortDomain(domain) })
  if (kind === 'delete') return answered ? m.pending_hold_conflict_delete_again() : m.pending_hold_conflict_delete()
  if (conflict && ways.includes('units')) {
    if (asksOnlyAboutPassword(conflict))
      return answered ? m.pending_hold_conflict_password_again() : m.pending_hold_conflict_password()
    if (conflict.units.every(({ unit }) => isTheirsWriteOnly(conflict, unit)))
      return answered ? m.pending_hold_conflict_hidden_again() : m.pending_hold_conflict_hidden()
  }
  return answered ? m.pending_hold_conflict_again() : m.pending_hold_conflict_choose()
}

/** Returns the state of an edit, with its tone and mark. */
export function editState(edit: EditView): StateLabel {
  switch (edit.state) {
    case 'queued':
      return queuedState(edit)
    case 'inDoubt':
      return stateLabel('checking')
    case 'held':
      return heldLabel(edit.reason, queuedState(edit))
    default:
      return stateLabel(edit.state)
  }
}

function queuedState({ kind }: EditView): StateLabel {
  if (kind === 'create') return stateLabel('new')
  return kind === 'delete' ? stateLabel('deleting') : stateLabel('changed')
}

/** True if a change is held only because the app is offline or paused, which the screen says once for all changes. */
export const isHeldOfflineOrPaused = ({ state, reason }: EditView): boolean =>
  state === 'held' && (reason === 'connection' || reason === 'paused')

/** Returns why a change isn't sent yet and when it will be tried; undefined if there is nothing to add. */
export function editWaitText(edit: EditView, now = Date.now()): string | undefined {
  // The service's message, which is shown beside this text, says more than the reason.
  if ((edit.reason === 'refused' && edit.error) || isHeldOfflineOrPaused(edit)) return undefined
  const why = edit.state === 'inDoubt' ? m.pending_confirming() : undefined
  const behind = edit.state === 'held' && edit.reason === 'website-limit' ? m.pending_hold_behind_limit() : undefined
  // The error, which is shown beside this text, says more than that the edit is tried again later.
  const reason = edit.reason === 'backoff' && edit.error ? undefined : edit.reason && reasonText(edit, edit.reason)
  const isNext = edit.nextAt !== null && edit.nextAt > now && edit.reason !== 'undo'
  const next = isNext ? m.pending_next_try({ time: formatTime(edit.nextAt ?? now) }) : undefined
  return joinSentences([behind ?? reason ?? why, next]) || undefined
}

/** Returns what a change does, such as "New values: privacy (Password), excluded IP addresses (3)." */
export function editSummary(edit: EditView): string {
  const { kind, settings, password, state } = edit
  const isParked = state === 'parked'
  if (kind === 'delete') {
    if (isParked) return m.pending_mine_delete()
    const isSaid = editState(edit).text === stateLabel('deleting').text
    return isSaid ? m.pending_delete_statistics() : m.pending_delete()
  }
  // An empty list is the default of a new website, so it isn't listed.
  const shown = kind === 'create' ? Object.entries(settings).filter(([, value]) => !isEmpty(value)) : null
  const list = settingsSummary(shown ? Object.fromEntries(shown) : settings, password)
  if (kind === 'create') {
    if (list === '') return isParked ? m.pending_mine_new() : m.pending_create()
    return isParked ? m.pending_mine_new_with({ settings: list }) : m.pending_create_with({ settings: list })
  }
  if (list === '') return isParked ? m.pending_mine() : m.pending_update()
  return isParked ? m.pending_mine_with({ settings: list }) : m.pending_update_with({ settings: list })
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** True for a parked delete whose reason already says that the website is deleted. */
export const reasonSaysDelete = ({ kind, reason, madeForDomain }: EditView): boolean =>
  kind === 'delete' && ((reason === 'conflict' && madeForDomain === undefined) || reason === 'vanished')

export const stateAndSummary = (edit: EditView): string =>
  m.pending_state_summary({ state: editState(edit).text, summary: editSummary(edit) })

/** Returns the settings that will be sent with the conflicting ones. Undefined if there are none. */
export function alsoSentText({ conflict, settings, ways }: EditView): string | undefined {
  if (!conflict || !ways.includes('units')) return undefined
  const inConflict = new Set<string>(conflict.units.map(({ unit }) => unit))
  const rest = settingsSummary(Object.fromEntries(Object.entries(settings).filter(([name]) => !inConflict.has(name))))
  return rest === '' ? undefined : m.pending_also_sent({ settings: rest })
}

/** Returns a text such as "12 of 40 sent, about 40 sec left". Undefined if sending has stopped, or nothing is sent yet. */
export function deliveryProgress({ delivery, reach, waiting, paused }: AppState): string | undefined {
  if (!delivery || paused || reach.state === 'offline' || waiting === 0 || delivery.done === 0) return undefined
  const counts = { done: formatNumber(delivery.done), total: formatNumber(delivery.total) }
  if (delivery.seconds === null) return m.pending_delivery(counts)
  return m.pending_delivery_left({ ...counts, duration: formatDuration(delivery.seconds) })
}

/** The texts for discarding an edit whose website then stays as it is now. */
interface KeepsAsIsTexts {
  /** The label of the button that opens the question. */
  ask: () => string
  /** The label of the button that confirms it. */
  action: () => string
  title: (inputs: { domain: string }) => string
  body: () => string
  done: (inputs: { domain: string }) => string
}

/** For reasons where a request may already have changed or deleted the website: discarding the edit doesn't undo that. */
const keepsAsIsTexts: Partial<Record<WaitReason, KeepsAsIsTexts>> = {
  appeared: {
    ask: m.pending_leave_appeared_ask,
    action: m.pending_leave_appeared,
    title: m.pending_leave_as_is,
    body: m.pending_leave_appeared_body,
    done: m.pending_leave_as_is_done,
  },
  vanished: {
    ask: m.pending_leave_vanished_ask,
    action: m.pending_leave_vanished,
    title: m.pending_leave_deleted,
    body: m.pending_leave_vanished_body,
    done: m.pending_leave_deleted_done,
  },
}

const keepsAsIsTextsOf = ({ reason }: EditView): KeepsAsIsTexts | undefined =>
  reason ? keepsAsIsTexts[reason] : undefined

/** A question that the user answers before something is lost. */
export interface Question {
  title: string
  /** The texts below the title, which say what is lost. */
  paragraphs: string[]
  action: string
  /** True if the action deletes or discards something for good. */
  danger: boolean
}

/** Returns the label of the button that opens the question before an edit is discarded. */
export const discardLabel = (edit: EditView): string => keepsAsIsTextsOf(edit)?.ask() ?? m.common_discard_ask()

/** Returns the question before an edit is discarded. */
export function discardQuestion(edit: EditView): Question {
  const domain = shortDomain(edit.domain)
  const left = keepsAsIsTextsOf(edit)
  const [title, lost] = left ? [left.title({ domain }), left.body()] : discardTexts(edit, domain)
  const isUnknown = edit.reason === 'unread' || (edit.reason === 'gone' && edit.kind === 'create')
  const paragraphs = [isUnknown ? m.pending_discard_unread() : lost]
  return { title, paragraphs, action: left?.action() ?? m.common_discard(), danger: true }
}

function discardTexts(edit: EditView, domain: string): [title: string, lost: string] {
  if (edit.kind === 'create') {
    const exists = edit.ways.includes('adopt') || onlyDeletesExisting(edit)
    const notCreated = exists ? m.pending_discard_create_exists() : m.pending_discard_create_body()
    return [m.pending_discard_create({ domain }), edit.possiblySent ? m.pending_discard_create_maybe() : notCreated]
  }
  if (edit.kind === 'delete') return [m.pending_discard_delete({ domain }), m.pending_discard_delete_body()]
  const title = m.pending_discard_change({ domain })
  if (edit.reason === 'unreadable') return [title, m.pending_discard_unreadable()]
  return [title, joinSentences([m.pending_discard_fields({ count: edit.fields.length }), discardEffectText(edit)])]
}

/**
 * Returns what discarding means at the service: a deleted website stays deleted, and a part that may have been sent is undone.
 */
function discardEffectText({ reason, possiblySent }: EditView): string {
  if (reason === 'gone') return m.pending_discard_gone()
  return possiblySent ? m.pending_discard_maybe() : m.pending_discard_none()
}

/** The toasts for an edit that was discarded, unless that leaves its website as it is now. */
const discardedToasts: Record<EditKind, (inputs: { domain: string }) => string> = {
  create: m.pending_discarded_create,
  update: m.pending_discarded,
  delete: m.pending_discarded_delete,
}

/** Returns the toast after an edit was discarded. */
export function discardToast(edit: EditView): string {
  const done = keepsAsIsTextsOf(edit)?.done ?? discardedToasts[edit.kind]
  return done({ domain: shortDomain(edit.domain) })
}

/** `agreed`: the user has confirmed that a sent create is undone, and not only the last save that is part of it. */
export function undoToast(edit: Pick<EditView, 'domain' | 'kind'>, outcome: UndoOutcome, agreed: boolean): string {
  const domain = shortDomain(edit.domain)
  if (outcome !== 'queued') return edit.kind === 'delete' ? m.resolve_done_keep({ domain }) : m.undo_done({ domain })
  if (edit.kind === 'delete') return m.history_again_done({ domain })
  return edit.kind === 'create' && agreed ? m.history_delete_done({ domain }) : m.undo_queued({ domain })
}

/** Returns the question before the creates or deletes of a bulk change are undone that were already sent. */
export function bulkUndoQuestion({
  kind,
  count,
  account,
}: Pick<BulkUndoQuestion, 'kind' | 'count' | 'account'>): Question {
  if (kind === 'delete') {
    const title = account === undefined ? m.bulk_undo_again({ count }) : m.bulk_undo_again_account({ count, account })
    const paragraphs = [m.bulk_undo_again_body({ count })]
    return { title, paragraphs, action: m.history_again(), danger: false }
  }
  const title = account === undefined ? m.bulk_undo_delete({ count }) : m.bulk_undo_delete_account({ count, account })
  return { title, paragraphs: [m.bulk_undo_delete_body({ count })], action: m.undo_asks_action(), danger: true }
}

/** Returns the question before a sent create or delete is undone. */
export function undoQuestion(edit: Pick<EditView, 'domain' | 'kind'>): Question {
  const domain = shortDomain(edit.domain)
  if (edit.kind === 'delete') {
    const paragraphs = [m.history_again_body()]
    return { title: m.history_again_ask({ domain }), paragraphs, action: m.history_again(), danger: false }
  }
  const paragraphs = [m.undo_asks_body()]
  return { title: m.undo_asks_title({ domain }), paragraphs, action: m.undo_asks_action(), danger: true }
}
