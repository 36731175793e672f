import { ok, type Result } from '../../../shared/result.ts'
import type { WebsiteRecord, WebsiteSettings } from '../../../shared/website.ts'
import { matchingRemoteValues, isOtherWebsite } from '../model/compare-with-record.ts'
import { coalesce, withAbsorbedIds, staysBehind } from '../enqueue/coalesce.ts'
import { currentValuesForCoalesce, replaceUnsent } from '../enqueue/commands.ts'
import { keepSavesThatCancelOut } from '../enqueue/keep-set-back.ts'
import { pickSettings, pickCommon } from '../model/compare.ts'
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

interface OutcomeToCommit {
  edit: Edit
  outcome: EditOutcome
  /** The record that the edit was merged with; null if there was none or it is no longer known. */
  remote: WebsiteRecord | null
  /** Milliseconds since 1970, for display only. */
  at: number
  /** Creates the id of an edit that sends the rest of this one. */
  newId: () => string
}

/**
 * Stores the outcome of an edit and the record that the service acknowledged in one transaction. If that fails, the edit stays
 * `sending` on disk, which means in doubt. Errors: `disk-full`, `storage`.
 */
export function commitOutcome(store: OutboxStore, toCommit: OutcomeToCommit): Result<void> {
  return store.write(() => ok(writeOutcome(store, toCommit)))
}

function writeOutcome(store: OutboxStore, { edit: attempted, outcome, ...context }: OutcomeToCommit): void {
  const judged = withCurrentSaves(store, attempted)
  const { at } = context
  // A refresh during the request may have stored a `shown` record, which `judged` lacks. It is added, unless nothing of the edit is
  // left: the edit isn't sent again, and no request of it can take effect later.
  const isOver = outcome.kind === 'applied' && outcome.resend === null && !outcome.mayStillApply
  const asShown = withoutRestoredMark(isOver ? judged : withCurrentShown(store, judged), outcome)
  const isDoubted = asShown.standing.state === 'inDoubt'
  // A request that is given up may have been applied, or may still be, unless its id belongs to another website now.
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
      // The history gets the record's values, because its lists also have the lines that other clients have added.
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
      // If this read shows the edit's values, they were applied, whatever a later read shows.
      store.saveEdit(outcome.remote === null ? edit : withFirstShown(edit, outcome.remote))
      break
    case 'retryLater':
      // A read that proves nothing leaves the edit in doubt. A rejected request leaves it unsent.
      if (edit.standing.state === 'inDoubt') store.saveEdit(edit)
      else unsend(store, edit, { state: 'queued' })
      break
    case 'neverSent':
      unsend(store, { ...edit, attempts: edit.attempts - 1 }, { state: 'queued' })
  }
}

/** Removes the `restored` mark from an edit of a backup that a read has judged and that stays in the outbox. */
function withoutRestoredMark(edit: Edit, { kind }: EditOutcome): Edit {
  const isOpen = kind === 'retryLater' || kind === 'tooEarly' || kind === 'missing'
  const isDone = kind === 'applied' || kind === 'noChange'
  return !isOpen && !isDone && isRestored(edit) && edit.sent
    ? { ...edit, sent: { ...edit.sent, restored: false } }
    : edit
}

/** The user may have undone or added saves while the request was under way. */
function withCurrentSaves(store: OutboxStore, edit: Edit): Edit {
  const current = store.edit(edit.id)?.note
  if (current === undefined || (current.saves === undefined && edit.note?.saves === undefined)) return edit
  const { saves, hasOther, isUndo } = current
  return { ...edit, note: { ...edit.note, saves, hasOther, isUndo } }
}

/** A refresh may have stored a `shown` record while the request was under way. */
function withCurrentShown(store: OutboxStore, edit: Edit): Edit {
  const shown = store.edit(edit.id)?.sent?.shown
  return edit.sent === null || shown === undefined ? edit : { ...edit, sent: { ...edit.sent, shown } }
}

/** Returns the base for a given-up request that is remembered: its own values where a read shows them, else the known base. */
function baseForLateWrite(edit: Edit, outcome: Extract<EditOutcome, { kind: 'notApplied' | 'park' }>): Base {
  const base = (outcome.kind === 'notApplied' ? outcome.base : null) ?? edit.base
  if (outcome.remote === null || edit.kind !== 'update') return base
  return { ...base, settings: { ...base.settings, ...matchingRemoteValues(edit, outcome.remote) } }
}

function commitApplied(
  store: OutboxStore,
  edit: Edit,
  { record, ignored, resend: rest, mayStillApply, date }: Extract<EditOutcome, { kind: 'applied' }>,
  { at, newId, remote: merged }: Omit<OutcomeToCommit, 'edit' | 'outcome'>,
): void {
  const second = rest === null ? null : editToResend(edit, record, rest, { id: newId(), changedAt: at })
  // The entry of a create that was found with other values than ours has the values found. The edit that sends ours again reports
  // ours.
  const resentValues = Object.keys(ignored).length > 0 ? {} : pickCommon(record, rest?.settings ?? {})
  const recorded =
    second === null
      ? edit
      : {
          ...edit,
          settings: { ...pickCommon(edit.settings, record), ...resentValues },
          // The saves of a create move to the edit that sends the rest.
          ...(edit.kind === 'create' && { note: noteWithSaves(edit, []) }),
        }
  if (second?.id !== edit.id) recordHistory(store, recorded, 'sent', { at, ignored })
  if (merged !== null) noteRemoteChanges(store, edit, { merged, answer: record, at })
  store.acknowledge(edit.website, record)
  const offset = learnedOffset(edit.kind, { record, date, before: merged })
  if (offset !== null) store.saveTimeOffset(offset)
  updateLateWrites(store, edit, record)
  if (mayStillApply) rememberLateWrite(store, edit, { settings: pickSettings(record) })
  if (second?.id !== edit.id) store.removeEdit(edit.id)
  rebaseBehind(store, edit, record)
  rebaseParkedCreate(store, edit, record)
  if (second?.id === edit.id) unsend(store, second, second.standing)
  else if (second !== null) queueRestOfCreate(store, second)
}

/** Returns the edit with the service's values of its fields, for the history. */
const withRecordedSettings = (edit: Edit, record: WebsiteRecord): Edit => ({
  ...edit,
  settings: { ...edit.settings, ...pickCommon(record, edit.settings) },
})

/** Queues the rest of a create before the edits that the user has made in the meantime. */
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
 * Makes an edit unsent again and merges the edit behind it into it, because a website has at most one unsent edit. Drops a delete
 * that the user has undone since. `read`: the website's values that were read since, or null if unknown; by default those that
 * {@link currentValuesForCoalesce} takes from the stored record.
 */
function unsend(store: OutboxStore, edit: Edit, standing: Standing, read?: Partial<WebsiteSettings> | null): void {
  if (dropUndoneDelete(store, edit)) return
  const unsent: Edit = { ...edit, standing, sent: edit.sent?.doubted ? edit.sent : null }
  const behind = store.editsOf(edit.website).find((other) => other.seq > edit.seq && isUnsent(other))
  if (behind === undefined) return store.saveEdit(unsent)
  if (staysBehind(unsent, behind)) return store.saveEdit(markedForLookup(unsent))
  const remote =
    read === undefined ? currentValuesForCoalesce(unsent, true, store.website(edit.website)?.record ?? {}) : read
  // Our own request may have changed the `updated_at` that both edits have as their base.
  const isSameAge = behind.base.updated_at === store.edit(edit.id)?.base.updated_at
  const later = isSameAge ? { ...behind, base: { ...behind.base, updated_at: edit.base.updated_at } } : behind
  const became = coalesce(unsent, later, remote)
  if (became?.kind === 'delete' && unsent.kind !== 'delete') {
    // Keep the id of the delete, by which the user can still undo it.
    store.removeEdit(unsent.id)
    return store.saveEdit(withAbsorbedIds(unsent, { ...became, id: behind.id, seq: behind.seq }))
  }
  store.removeEdit(behind.id)
  expectValuesLeftOut(store, edit.website, behind.settings, became)
  if (became === null) keepSavesThatCancelOut(store, unsent, behind)
  replaceUnsent(store, unsent, became === null ? null : withAbsorbedIds(behind, became))
}

const failuresOf = ({ sent }: Edit): number => sent?.failures ?? 0

/** Returns the facts about the edit's requests, with those in `more` added or replaced. */
const changedSentNote = (edit: Edit, more: Partial<SentNote>): SentNote => ({
  before: 'unknown',
  date: null,
  accepted: false,
  doubted: false,
  ...edit.sent,
  ...more,
})
