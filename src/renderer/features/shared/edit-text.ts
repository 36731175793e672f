import { m } from '../../../messages/index.ts'
import { shortDomain } from '../../../shared/display/domain.ts'
import { formatDuration, formatTime, joinSentences, formatNumber } from '../../../shared/display/format.ts'
import { settingsSummary } from '../../../shared/display/settings-summary.ts'
import { heldLabel, stateLabel, type StateLabel } from '../../../shared/display/states.ts'
import type { Conflict, EditView, UndoOutcome, WaitReason } from '../../../shared/edit.ts'
import type { AppState } from '../../../shared/state.ts'
import type { BulkUndoQuestion } from '../../app/toasts.svelte.ts'
import type { SettingName } from '../../../shared/website.ts'

/** The texts for the reasons why a change is held or needs attention, for every screen that shows the change. */

const reasonTexts: Record<WaitReason, () => string> = {
  paused: m.pending_hold_paused,
  connection: m.pending_hold_connection,
  key: m.pending_hold_key,
  keychain: m.pending_hold_keychain,
  rate: m.pending_hold_rate,
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

/** True if the service doesn't show its value of the unit. */
const isTheirsHidden = ({ theirs }: Conflict, unit: SettingName): boolean =>
  theirs[unit] === undefined && !(unit === 'privacy' && theirs.password)

/** True if only a new password is asked about, and the privacy that the service shows is unchanged. */
const asksOnlyAboutPassword = ({ base, theirs, mine, units }: Conflict): boolean =>
  units.every(({ unit }) => unit === 'privacy') && mine.password === true && base.privacy === theirs.privacy

/** Returns why a change needed attention, as far as the reason alone tells. */
export function generalReasonText(reason: WaitReason): string {
  if (reason === 'domain-taken') return m.activity_domain_taken()
  return reason === 'password' ? m.activity_password_missing() : reasonTexts[reason]()
}

/** Returns why a change is held, or needs attention. */
function reasonText({ kind, domain, conflict, ways, answered, importedFor }: EditView, reason: WaitReason): string {
  if (reason === 'domain-taken' && ways.includes('adopt')) return m.pending_hold_exists()
  if (reason === 'website-limit') return joinSentences([m.pending_hold_limit(), m.parked_advice_website_limit()])
  if (reason !== 'conflict') return reasonTexts[reason]()
  if (importedFor !== undefined)
    return m.pending_hold_imported({ imported: shortDomain(importedFor), domain: shortDomain(domain) })
  if (kind === 'delete') return answered ? m.pending_hold_conflict_delete_again() : m.pending_hold_conflict_delete()
  if (conflict && ways.includes('units')) {
    if (asksOnlyAboutPassword(conflict))
      return answered ? m.pending_hold_conflict_password_again() : m.pending_hold_conflict_password()
    if (conflict.units.every(({ unit }) => isTheirsHidden(conflict, unit)))
      return answered ? m.pending_hold_conflict_hidden_again() : m.pending_hold_conflict_hidden()
  }
  return answered ? m.pending_hold_conflict_again() : m.pending_hold_conflict_choose()
}

/** Returns the state of a change for its tag. */
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

/** Returns the state of an edit that is not sent yet: new, changed or being deleted, by its kind. */
function queuedState({ kind }: EditView): StateLabel {
  if (kind === 'create') return stateLabel('new')
  return kind === 'delete' ? stateLabel('deleting') : stateLabel('changed')
}

/** True if a change is held only by the connection or because sending is paused, which the screen says once for all of them. */
export const isHeldOfflineOrPaused = ({ state, reason }: EditView): boolean =>
  state === 'held' && (reason === 'connection' || reason === 'paused')

/** Returns why a change isn't sent yet and when it will be tried, or undefined if there is nothing to say. */
export function editWaitText(edit: EditView, now = Date.now()): string | undefined {
  // The service's message says more than the reason.
  if ((edit.reason === 'refused' && edit.error) || isHeldOfflineOrPaused(edit)) return undefined
  const why = edit.state === 'inDoubt' ? m.pending_confirming() : undefined
  const behind = edit.state === 'held' && edit.reason === 'website-limit' ? m.pending_hold_behind_limit() : undefined
  // The error, which is shown beside the edit, says more than that the edit is tried again later.
  const reason = edit.reason === 'backoff' && edit.error ? undefined : edit.reason && reasonText(edit, edit.reason)
  const isNext = edit.nextAt !== null && edit.nextAt > now && edit.reason !== 'undo'
  const next = isNext ? m.pending_next_try({ time: formatTime(edit.nextAt ?? now) }) : undefined
  return joinSentences([behind ?? reason ?? why, next]) || undefined
}

/** Returns what a change does: "New values: privacy (Password), excluded IP addresses (3)." */
export function editSummary(edit: EditView): string {
  const { kind, settings, password, state } = edit
  const isParked = state === 'parked'
  if (kind === 'delete') {
    if (isParked) return m.pending_mine_delete()
    const isSaid = editState(edit).text === stateLabel('deleting').text
    return isSaid ? m.pending_delete_statistics() : m.pending_delete()
  }
  // An empty list of a new website is the default.
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

/** True for a delete that is parked for a reason whose text already says that the website is deleted. */
export const reasonSaysDelete = ({ kind, reason, importedFor }: EditView): boolean =>
  kind === 'delete' && ((reason === 'conflict' && importedFor === undefined) || reason === 'vanished')

/** Returns the state of a change and what it does. */
export const stateAndSummary = (edit: EditView): string =>
  m.pending_state_summary({ state: editState(edit).text, summary: editSummary(edit) })

/** Returns the settings that are sent together with those that the user has to decide about, or undefined. */
export function alsoSentText({ conflict, settings, ways }: EditView): string | undefined {
  if (!conflict || !ways.includes('units')) return undefined
  const inConflict = new Set<string>(conflict.units.map(({ unit }) => unit))
  const rest = settingsSummary(Object.fromEntries(Object.entries(settings).filter(([name]) => !inConflict.has(name))))
  return rest === '' ? undefined : m.pending_also_sent({ settings: rest })
}

/**
 * Returns the progress of a delivery: "12 of 40 sent, about 40 sec left". Undefined if nothing is being delivered, or nothing of
 * the delivery is sent yet.
 */
export function deliveryProgress({ delivery, reach, waiting, paused }: AppState): string | undefined {
  if (!delivery || paused || reach.state === 'offline' || waiting === 0 || delivery.done === 0) return undefined
  const counts = { done: formatNumber(delivery.done), total: formatNumber(delivery.total) }
  if (delivery.seconds === null) return m.pending_delivery(counts)
  return m.pending_delivery_left({ ...counts, duration: formatDuration(delivery.seconds) })
}

/** The texts of the button, the question and the toast if discarding an edit leaves the website as it is. */
interface KeepsAsIsTexts {
  /** The label of the button that opens the question. */
  ask: () => string
  /** The label of the button that confirms it. */
  action: () => string
  title: (inputs: { domain: string }) => string
  body: () => string
  done: (inputs: { domain: string }) => string
}

/**
 * The texts of the question before an edit is discarded, for the reasons for which a request may already have changed or deleted
 * the website: discarding then leaves the website as it is now.
 */
const keepsAsIsTexts: Partial<Record<WaitReason, KeepsAsIsTexts>> = {
  appeared: {
    ask: m.pending_leave_appeared_ask,
    action: m.pending_leave_appeared,
    title: m.pending_leave_as_is,
    body: m.pending_leave_appeared_body,
    done: m.pending_leave_as_is_done,
  },
  unread: {
    ask: m.pending_leave_unread_ask,
    action: m.pending_leave_unread,
    title: m.pending_leave_unread_title,
    body: m.pending_leave_unread_body,
    done: m.pending_leave_unread_done,
  },
  vanished: {
    ask: m.pending_leave_vanished_ask,
    action: m.pending_leave_vanished,
    title: m.pending_leave_deleted,
    body: m.pending_leave_vanished_body,
    done: m.pending_leave_deleted_done,
  },
}

/** Returns the texts for discarding an edit that leaves its website as it is now; undefined for any other edit. */
const keepsAsIsTextsOf = ({ reason }: EditView): KeepsAsIsTexts | undefined =>
  reason ? keepsAsIsTexts[reason] : undefined

/** A question before an action, and the label of its button. */
export interface Question {
  title: string
  /** The texts below the title, which say what is lost. */
  paragraphs: string[]
  action: string
  /** True if the action deletes or discards something for good. */
  danger: boolean
}

/** Returns the label of the button that asks before an edit is discarded. */
export const discardLabel = (edit: EditView): string => keepsAsIsTextsOf(edit)?.ask() ?? m.common_discard_ask()

/** Returns the question before an edit is discarded: what is lost, and the button's label. */
export function discardQuestion(edit: EditView): Question {
  const domain = shortDomain(edit.domain)
  const left = keepsAsIsTextsOf(edit)
  const [title, lost] = left ? [left.title({ domain }), left.body()] : discardTexts(edit, domain)
  return { title, paragraphs: [lost], action: left?.action() ?? m.common_discard(), danger: true }
}

function discardTexts(edit: EditView, domain: string): [title: string, lost: string] {
  if (edit.kind === 'create') {
    const notCreated = edit.ways.includes('adopt') ? m.pending_discard_create_exists() : m.pending_discard_create_body()
    return [m.pending_discard_create({ domain }), edit.possiblySent ? m.pending_discard_create_maybe() : notCreated]
  }
  if (edit.kind === 'delete') return [m.pending_discard_delete({ domain }), m.pending_discard_delete_body()]
  const title = m.pending_discard_change({ domain })
  if (edit.reason === 'unreadable') return [title, m.pending_discard_unreadable()]
  return [title, joinSentences([m.pending_discard_fields({ count: edit.fields.length }), discardEffectText(edit)])]
}

/** Returns what discarding a change does on the service: a deleted website stays deleted, a part that was sent is undone. */
function discardEffectText({ reason, possiblySent }: EditView): string {
  if (reason === 'gone') return m.pending_discard_gone()
  return possiblySent ? m.pending_discard_maybe() : m.pending_discard_none()
}

/** Returns the toast for an edit that was discarded. */
export function discardToast(edit: EditView): string {
  const domain = shortDomain(edit.domain)
  return keepsAsIsTextsOf(edit)?.done({ domain }) ?? m.pending_discarded({ domain })
}

/**
 * Returns the toast for an undo that was carried out, or whose reverse was queued. `agreed`: the user was asked, so a create is undone
 * as a whole; otherwise only the last save that went into it.
 */
export function undoToast(edit: Pick<EditView, 'domain' | 'kind'>, outcome: UndoOutcome, agreed: boolean): string {
  const domain = shortDomain(edit.domain)
  if (outcome !== 'queued') return edit.kind === 'delete' ? m.resolve_done_keep({ domain }) : m.undo_done({ domain })
  if (edit.kind === 'delete') return m.history_again_done({ domain })
  return edit.kind === 'create' && agreed ? m.history_delete_done({ domain }) : m.undo_queued({ domain })
}

/** Returns the question before the undo of creates or deletes of a bulk change that were sent. */
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

/** Returns the question before the undo of a create or a delete that was sent. */
export function undoQuestion(edit: Pick<EditView, 'domain' | 'kind'>): Question {
  const domain = shortDomain(edit.domain)
  if (edit.kind === 'delete') {
    const paragraphs = [m.history_again_body()]
    return { title: m.history_again_ask({ domain }), paragraphs, action: m.history_again(), danger: false }
  }
  const paragraphs = [m.undo_asks_body()]
  return { title: m.undo_asks_title({ domain }), paragraphs, action: m.undo_asks_action(), danger: true }
}
