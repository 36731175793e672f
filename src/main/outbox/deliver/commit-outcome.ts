import { ok, type Result } from '../../../shared/result.ts'
import type { WebsiteRecord, WebsiteSettings } from '../../../shared/website.ts'
import { matchingRemoteValues, isOtherWebsite } from '../model/compare-with-record.ts'
import { coalesce, withAbsorbedIds, staysBehind } from '../enqueue/coalesce.ts'
import { currentValuesForCoalesce, replaceUnsent } from '../enqueue/commands.ts'
import { keepSavesThatCancelOut } from '../enqueue/keep-set-back.ts'
import { pickSettings, pickTouched } from '../model/compare.ts'
import { isUnsent, type Base, type Edit, type SentNote, type Standing } from '../model/edit.ts'
import { recordHistory, recordStep } from '../history.ts'
import { expectValuesLeftOut } from '../late-writes/accept.ts'
import type { OutboxStore } from '../ports.ts'
import { learnedOffset } from '../model/service-time.ts'
import { markedForLookup, withPossiblySentRequest } from '../model/possibly-sent.ts'
import { noteWithSaves } from '../model/saves.ts'
import { rebaseParkedCreate, rebaseBehind } from '../reconcile/rebase.ts'
import { noteRemoteChanges } from '../remote/remote-changes.ts'
import { editToResend, unappliedRestOf } from '../reconcile/resend.ts'
import { isRestored } from '../transfer/restored.ts'
import { storeReadRecord, withFirstShown } from '../late-writes/note-read.ts'
import { updateLateWrites, rememberLateWrite } from '../late-writes/remember.ts'
import { dropUndoneDelete, markRestoredDelete } from '../enqueue/undo-sent.ts'
import type { EditOutcome } from '../model/edit-outcome.ts'
import { requeueLimitedCreates, waitsForDeletes } from './website-limit.ts'

/** The outcome of an edit with everything that is needed to store it. */
interface OutcomeToCommit {
  edit: Edit
  outcome: EditOutcome
  /** The record that the edit was merged with, or null if there was none or it is no longer known. */
  remote: WebsiteRecord | null
  /** The time in milliseconds since 1970, for display only. */
  at: number
  /** Returns an id for an edit that follows from the outcome. */
  newId: () => string
}

/**
 * Stores the outcome of an edit in one transaction with the record that the service acknowledged. If that fails, the edit stays
 * `sending` on disk, which means in doubt. Errors: `disk-full`, `storage`.
 */
export function commitOutcome(store: OutboxStore, toCommit: OutcomeToCommit): Result<void> {
  return store.write(() => ok(writeOutcome(store, toCommit)))
}

/** Does the work of {@link commitOutcome} within its transaction. */
function writeOutcome(store: OutboxStore, { edit: attempted, outcome, ...context }: OutcomeToCommit): void {
  const judged = withCurrentSaves(store, attempted)
  const { at } = context
  // A refresh may have read the edit's values while its request was under way. They are kept only if the edit is not over, that
  // is, if it stays, is sent again or becomes a late write.
  const isOver = outcome.kind === 'applied' && outcome.resend === null && !outcome.chosen
  const asShown = withoutRestoredMark(isOver ? judged : withCurrentShown(store, judged), outcome)
  const isDoubted = asShown.standing.state === 'inDoubt'
  // A request that is given up may have been applied, or may still be applied later, unless its id belongs to another website.
  const isGivenUp =
    isDoubted &&
    (outcome.kind === 'notApplied' || outcome.kind === 'park') &&
    (outcome.remote === null || !isOtherWebsite(asShown.base, outcome.remote))
  if (isGivenUp) rememberLateWrite(store, asShown, baseForLateWrite(asShown, outcome))
  const edit = isGivenUp ? withPossiblySentRequest(asShown) : asShown
  switch (outcome.kind) {
    case 'applied':
      commitApplied(store, edit, outcome, context)
      break
    case 'deleted':
      recordHistory(store, edit, isUnsent(edit) ? 'nothing' : 'sent', { at })
      markRestoredDelete(store, edit)
      store.acknowledgeDelete(edit.website)
      requeueLimitedCreates(store)
      break
    case 'noChange':
      // The history gets the record's values, because a list there also has the lines that other clients have added.
      recordHistory(store, withRecordedSettings(edit, outcome.record), 'nothing', { at })
      storeReadRecord(store, outcome.record, at)
      updateLateWrites(store, edit, outcome.record)
      store.removeEdit(edit.id)
      break
    case 'inDoubt':
      store.saveEdit({
        ...edit,
        standing: { state: 'inDoubt', error: outcome.error },
        sent: changedSentNote(edit, { accepted: outcome.accepted, doubted: true }),
      })
      break
    case 'notApplied': {
      if (outcome.remote !== null) storeReadRecord(store, outcome.remote)
      const sent = changedSentNote(edit, { doubted: true, failures: failuresOf(edit) + 1 })
      const left = outcome.base === null ? edit : { ...unappliedRestOf(edit, outcome.base), base: outcome.base }
      unsend(store, { ...left, sent }, { state: 'queued' }, outcome.remote ?? undefined)
      break
    }
    case 'missing':
      store.saveEdit({ ...edit, sent: changedSentNote(edit, { failures: failuresOf(edit) + 1 }) })
      break
    case 'park': {
      if (waitsForDeletes(store, outcome)) return unsend(store, edit, { state: 'queued' })
      const { reason, error, theirs, remote } = outcome
      if (remote !== null) storeReadRecord(store, remote, at)
      recordStep(store, edit, 'failed', { at, reason })
      const values = remote ?? (edit.standing.state === 'inDoubt' ? null : undefined)
      unsend(store, edit, { state: 'parked', reason, error, theirs, ...(theirs && { theirsAt: at }) }, values)
      break
    }
    case 'tooEarly':
      // If this read shows the values of the edit, they were applied, whatever a later read shows.
      store.saveEdit(outcome.remote === null ? edit : withFirstShown(edit, outcome.remote))
      break
    case 'retryLater':
      // A read that proves nothing leaves the edit in doubt; a rejected request leaves it unsent.
      if (edit.standing.state === 'inDoubt') store.saveEdit(edit)
      else unsend(store, edit, { state: 'queued' })
      break
    case 'neverSent':
      unsend(store, { ...edit, attempts: edit.attempts - 1 }, { state: 'queued' })
  }
}

/** Removes the `restored` mark from an edit of a backup that a read has settled and that stays in the outbox. */
function withoutRestoredMark(edit: Edit, { kind }: EditOutcome): Edit {
  const isOpen = kind === 'retryLater' || kind === 'tooEarly' || kind === 'missing'
  const isDone = kind === 'applied' || kind === 'noChange'
  return !isOpen && !isDone && isRestored(edit) && edit.sent
    ? { ...edit, sent: { ...edit.sent, restored: false } }
    : edit
}

/** Returns the edit with its current saves: the user may have undone or added some while its request was under way. */
function withCurrentSaves(store: OutboxStore, edit: Edit): Edit {
  const current = store.edit(edit.id)?.note
  if (current === undefined || (current.saves === undefined && edit.note?.saves === undefined)) return edit
  const { saves, hasOther, isUndo } = current
  return { ...edit, note: { ...edit.note, saves, hasOther, isUndo } }
}

/** Returns the edit with the record that a refresh has stored as its `shown` while its request was under way. */
function withCurrentShown(store: OutboxStore, edit: Edit): Edit {
  const shown = store.edit(edit.id)?.sent?.shown
  return edit.sent === null || shown === undefined ? edit : { ...edit, sent: { ...edit.sent, shown } }
}

/**
 * Returns the base with which a given-up request is remembered. Values of an update that the read shows as applied replace
 * those of the base.
 */
function baseForLateWrite(edit: Edit, outcome: Extract<EditOutcome, { kind: 'notApplied' | 'park' }>): Base {
  const base = (outcome.kind === 'notApplied' ? outcome.base : null) ?? edit.base
  if (outcome.remote === null || edit.kind !== 'update') return base
  return { ...base, settings: { ...base.settings, ...matchingRemoteValues(edit, outcome.remote) } }
}

/** Stores the record of an applied edit, its entry in the activity, what is sent again, and the bases of the edits behind it. */
function commitApplied(
  store: OutboxStore,
  edit: Edit,
  { record, ignored, resend: rest, chosen, date }: Extract<EditOutcome, { kind: 'applied' }>,
  { at, newId, remote: merged }: Omit<OutcomeToCommit, 'edit' | 'outcome'>,
): void {
  const second = rest === null ? null : editToResend(edit, record, rest, { id: newId(), changedAt: at })
  // If a create was found with other values than ours, its entry has the values found. Ours are reported with the edit that sends
  // them again.
  const resentValues = Object.keys(ignored).length > 0 ? {} : pickTouched(record, rest?.settings ?? {})
  const recorded =
    second === null
      ? edit
      : {
          ...edit,
          settings: { ...pickTouched(edit.settings, record), ...resentValues },
          // The saves of a create go with the edit that sends the rest.
          ...(edit.kind === 'create' && { note: noteWithSaves(edit, []) }),
        }
  if (second?.id !== edit.id) recordHistory(store, recorded, 'sent', { at, ignored })
  if (merged !== null) noteRemoteChanges(store, edit, { merged, answer: record, at })
  store.acknowledge(edit.website, record)
  const offset = learnedOffset(edit.kind, { record, date, before: merged })
  if (offset !== null) store.saveTimeOffset(offset)
  updateLateWrites(store, edit, record)
  if (chosen) rememberLateWrite(store, edit, { settings: pickSettings(record) })
  if (second?.id !== edit.id) store.removeEdit(edit.id)
  rebaseBehind(store, edit, record)
  rebaseParkedCreate(store, edit, record)
  if (second?.id === edit.id) unsend(store, second, second.standing)
  else if (second !== null) queueRestOfCreate(store, second)
}

/** Returns the edit as the history stores it if nothing was sent: the settings that the edit sets have the record's values. */
const withRecordedSettings = (edit: Edit, record: WebsiteRecord): Edit => ({
  ...edit,
  settings: { ...edit.settings, ...pickTouched(record, edit.settings) },
})

/** Queues the rest of a create before the edits that the user has made since. */
function queueRestOfCreate(store: OutboxStore, edit: Omit<Edit, 'seq'>): void {
  const behind = store.editsOf(edit.website).find(isUnsent)
  if (behind === undefined) store.addEdit(edit)
  else {
    const rest = { ...edit, id: behind.id, seq: behind.seq }
    const became = coalesce(rest, behind)
    if (became === null) keepSavesThatCancelOut(store, rest, behind)
    replaceUnsent(store, behind, became)
  }
}

/**
 * Makes an edit unsent again, and merges the edit queued behind it into it, because a website has at most one unsent edit. A
 * delete that the user has undone since is dropped instead. `read` holds the website's values that were read since, or null if
 * they are unknown. If it is left out, the values are those that {@link currentValuesForCoalesce} takes from the stored record.
 */
function unsend(store: OutboxStore, edit: Edit, standing: Standing, read?: Partial<WebsiteSettings> | null): void {
  if (dropUndoneDelete(store, edit)) return
  const unsent: Edit = { ...edit, standing, sent: edit.sent?.doubted ? edit.sent : null }
  const behind = store.editsOf(edit.website).find((other) => other.seq > edit.seq && isUnsent(other))
  if (behind === undefined) return store.saveEdit(unsent)
  if (staysBehind(unsent, behind)) return store.saveEdit(markedForLookup(unsent))
  const remote =
    read === undefined ? currentValuesForCoalesce(unsent, true, store.website(edit.website)?.record ?? {}) : read
  // The request itself may have moved the time that both edits have as their base.
  const isSameAge = behind.base.updated_at === store.edit(edit.id)?.base.updated_at
  const later = isSameAge ? { ...behind, base: { ...behind.base, updated_at: edit.base.updated_at } } : behind
  const became = coalesce(unsent, later, remote)
  if (became?.kind === 'delete' && unsent.kind !== 'delete') {
    // The user can still undo the delete by its own id.
    store.removeEdit(unsent.id)
    return store.saveEdit(withAbsorbedIds(unsent, { ...became, id: behind.id, seq: behind.seq }))
  }
  store.removeEdit(behind.id)
  expectValuesLeftOut(store, edit.website, behind.settings, became)
  if (became === null) keepSavesThatCancelOut(store, unsent, behind)
  replaceUnsent(store, unsent, became === null ? null : withAbsorbedIds(behind, became))
}

const failuresOf = ({ sent }: Edit): number => sent?.failures ?? 0

/** Returns what is noted about the requests of an edit, with these changes. An edit without a note gets one. */
const changedSentNote = (edit: Edit, more: Partial<SentNote>): SentNote => ({
  before: 'unknown',
  date: null,
  accepted: false,
  doubted: false,
  ...edit.sent,
  ...more,
})
