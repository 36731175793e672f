import { ok, type Result } from '../../shared/result.ts'
import { coalesce } from './coalesce.ts'
import { replace } from './commands.ts'
import { isUnsent, type Edit, type SentNote, type Standing } from './edit.ts'
import { recordHistory } from './history.ts'
import type { OutboxStore } from './ports.ts'
import { accountStrays, rememberStray } from './strays.ts'
import { recallDelete } from './undo-sent.ts'
import type { Verdict } from './verdict.ts'
import { freeLimited, waitsForDeletes } from './website-limit.ts'

/**
 * Writes down what became of a sent edit, in one transaction with what the service acknowledged. An acknowledgement
 * that can't be written leaves the edit `sending` on disk, which is in doubt. `at`: milliseconds since 1970. Errors: `disk-full`, `storage`.
 */
export function conclude(store: OutboxStore, edit: Edit, verdict: Verdict, at: number): Result<void> {
  return store.write(() => {
    // Given up, it may still land.
    const givenUp = verdict.verdict === 'again' || verdict.verdict === 'park'
    if (givenUp && edit.standing.state === 'inDoubt') rememberStray(store, edit)
    switch (verdict.verdict) {
      case 'applied':
        recordHistory(store, edit, 'sent', { at })
        store.acknowledge(edit.website, verdict.record)
        accountStrays(store, edit, verdict.record)
        store.removeEdit(edit.id)
        break
      case 'deleted':
        recordHistory(store, edit, 'sent', { at })
        store.acknowledgeDelete(edit.website)
        freeLimited(store)
        break
      case 'doubt':
        store.saveEdit({
          ...edit,
          standing: { state: 'inDoubt', error: verdict.error },
          sent: note(edit, { accepted: verdict.accepted, doubted: true }),
        })
        break
      case 'again':
        unsend(store, { ...edit, sent: note(edit, { doubted: true }) }, { state: 'queued' })
        break
      case 'park':
        if (waitsForDeletes(store, verdict)) return ok(unsend(store, edit, { state: 'queued' }))
        unsend(store, edit, { state: 'parked', reason: verdict.reason, error: verdict.error, theirs: verdict.theirs })
        break
      case 'wait':
        // A read that tells nothing leaves it in doubt; a request that was turned away leaves it unsent.
        if (edit.standing.state === 'inDoubt') store.saveEdit(edit)
        else unsend(store, edit, { state: 'queued' })
        break
      case 'unmade':
        unsend(store, { ...edit, attempts: edit.attempts - 1 }, { state: 'queued' })
    }
    return ok(undefined)
  })
}

/** It counts as unsent again: what the person did meanwhile goes into it, as there's one unsent edit at most. */
function unsend(store: OutboxStore, edit: Edit, standing: Standing): void {
  if (recallDelete(store, edit)) return
  const unsent: Edit = { ...edit, standing, sent: edit.sent?.doubted ? edit.sent : null }
  const behind = store.editsOf(edit.website).find((other) => other.seq > edit.seq && isUnsent(other))
  if (behind === undefined || isInQuestion(unsent, behind)) return store.saveEdit(unsent)
  store.removeEdit(behind.id)
  replace(store, unsent, coalesce(unsent, behind))
}

/**
 * A create that may have been applied, and that the person deletes: the two don't cancel each other out before the person
 * has said whether what is there is ours.
 */
const isInQuestion = ({ kind, standing, sent }: Edit, behind: Edit): boolean =>
  kind === 'create' && behind.kind === 'delete' && standing.state === 'parked' && sent?.doubted === true

const note = (edit: Edit, more: Partial<SentNote>): SentNote => ({
  before: 'unknown',
  date: null,
  accepted: false,
  doubted: false,
  ...edit.sent,
  ...more,
})
