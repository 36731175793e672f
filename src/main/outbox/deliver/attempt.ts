import { fail, ok, type AppError, type Result } from '../../../shared/result.ts'
import type { WebsiteRecord } from '../../../shared/website.ts'
import { isSent, isUnreadable, type Edit } from '../model/edit.ts'
import { applyRetryPolicy, delayAfterError, type AttemptPorts } from './apply-retry-policy.ts'
import { prepareRequest } from '../reconcile/prepare-request.ts'
import { recordHistory } from '../history.ts'
import { acceptLateWrites } from '../late-writes/accept.ts'
import { isSameSealing } from '../late-writes/remember.ts'
import { findByDomain } from '../remote/lookup.ts'
import { markSending } from './mark-sending.ts'
import type { OutboxPorts, OutboxStore } from '../ports.ts'
import { findConnectionProblem, confirmGone } from '../remote/confirm.ts'
import type { Outcome } from '../../service/outcome.ts'
import { send } from './send.ts'
import { inDoubtErrorOf, judgeFoundWebsite, settle, retryAfterFailedRead } from '../reconcile/settle.ts'
import type { NextEdit } from '../model/next-edit.ts'
import { deleted, park, retryLater, tooEarly, type EditOutcome } from '../model/edit-outcome.ts'

/**
 * Takes the next step with one edit. Settles an edit in doubt. Reads the website of an unsent edit, merges, sends, and stores the
 * outcome. Never throws because of a network, host, disk or keychain. Errors: `disk-full`, `storage`.
 */
export async function attemptDelivery(ports: AttemptPorts, nextEdit: NextEdit): Promise<Result<void>> {
  const { edit: picked, website } = nextEdit
  if (isSent(picked)) {
    const unwritten = ports.unwritten.get(picked.id)
    if (unwritten !== undefined) return applyRetryPolicy(ports, unwritten.edit, unwritten.outcome)
    const edit = asInDoubt(picked)
    const readBegan = ports.clock.monotonic()
    return applyRetryPolicy(ports, edit, tooEarlyIfUnproven(ports, edit, await settle(ports, edit, website), readBegan))
  }
  const { store, preflight, holds, isActive } = ports
  if (picked.kind === 'create' && picked.sent?.unclear === true) {
    const undoUntil = undoDeadlineOfDelete(ports, nextEdit)
    if (undoUntil !== null) {
      holds.holdUntil(picked.id, 'undo', null, undoUntil)
      return ok(undefined)
    }
    const lookup = await findByDomain(ports.service, website.domain)
    if (lookup.found === 'unreadable')
      return commitUnsent(ports, nextEdit, await retryAfterFailedRead(ports, lookup.error))
    if (lookup.found === 'present') {
      // The user may have changed the create during the lookup.
      const now = readCurrentEdit(store, nextEdit)
      if (!now.ok) return now
      if (now.value === null) return ok(undefined)
      return commitUnsent(ports, nextEdit, judgeFoundWebsite(ports, now.value.edit, lookup.website))
    }
    if (findDeleteBehind(nextEdit) !== undefined) return cancelCreate(ports, nextEdit)
  }
  const password = await unseal(ports, picked, website.domain)
  if (!password.ok) return parkOrHoldForPassword(ports, nextEdit, password.error)
  if (!mayGo(ports)) return ok(undefined)
  // Learn the service's clock first. If the response is lost, it tells our website from someone else's
  // (docs/sync.md#create-in-doubt).
  if (picked.kind === 'create' && picked.sent === null && !ports.connectivity.hasAnswered())
    await ports.connectivity.probe()
  let remote: WebsiteRecord | null = null
  if (picked.kind !== 'create' && website.id !== null) {
    const read = await preflight.read(website.id)
    if (read === 'otherPage' || !isActive()) return ok(undefined)
    if (read.outcome !== 'applied') {
      const target = { kind: picked.kind, id: website.id, domain: website.domain }
      return commitUnsent(ports, nextEdit, await judgeFailedPreflightRead(ports, target, read))
    }
    // There is no record if an overlapping response may be newer or contradict this read. The website is read again then.
    remote = preflight.recordOf(website.id)
    if (remote === null) return ok(undefined)
  }

  // Unsealing and reading take time, so check again that replay is active, the gate open and the edit unchanged. Nothing is
  // awaited between this check and the request, so nothing is sent after a stop.
  if (!mayGo(ports)) {
    const gate = ports.connectivity.gate()
    if (!gate.open && (gate.reason === 'rate' || gate.reason === 'budget') && remote !== null)
      preflight.noteDelay(remote.id)
    return ok(undefined)
  }
  const now = store.read(() => ok(currentIfUnchanged(store, nextEdit, remote)))
  if (!now.ok) return now
  if (now.value === null) return ok(undefined)
  const { edit } = now.value
  const prepared = remote === null ? { send: edit } : prepareRequest(edit, remote)
  if ('kind' in prepared) return applyRetryPolicy(ports, edit, prepared)
  const leaving = { ...now.value, prepared: prepared.send, remote }
  const marked = store.write(() => ok(markSending(ports, leaving)))
  if (!marked.ok) return marked
  const sending = marked.value
  ports.onSending(website.key)
  if (website.id !== null) preflight.noteWrite(website.id)
  const outcome = await send(ports, sending, website, sending.sealed === null ? null : password.value)
  return applyRetryPolicy(ports, sending, outcome, remote)
}

/** Decides about an edit whose website cannot be read before the edit is sent (docs/sync.md#refused-requests). */
async function judgeFailedPreflightRead(
  ports: AttemptPorts,
  { kind, ...target }: Pick<Edit, 'kind'> & Pick<WebsiteRecord, 'id' | 'domain'>,
  { outcome, error }: Exclude<Outcome<WebsiteRecord>, { outcome: 'applied' }>,
): Promise<EditOutcome> {
  if (outcome === 'inDoubt') return retryAfterFailedRead(ports, error)
  if (error.code === 'not-found') {
    const found = await confirmGone(ports, target, error)
    if (found !== 'gone') return retryLater(found === 'present' ? error : found)
    return kind === 'delete' ? deleted : park('gone', error)
  }
  const isOfEdit = ['forbidden', 'refused', 'invalid'].includes(error.code)
  const other = isOfEdit ? await findConnectionProblem(ports, error) : error
  return other === null ? park('refused', error) : retryLater(other)
}

/** True if a request may be sent now. */
const mayGo = ({ isActive, connectivity }: AttemptPorts): boolean => isActive() && connectivity.gate().open

/** Returns the password that an edit sends, or null if it sends none. Errors: `password-missing` and those of the sealer. */
async function unseal({ sealer }: OutboxPorts, { kind, sealed }: Edit, domain: string): Promise<Result<string | null>> {
  // Length 0 (MISSING_PASSWORD) stands for a password that an export left out or a later save replaced.
  if (sealed?.length === 0 && kind !== 'delete') return fail('password-missing')
  return sealed === null || kind === 'delete' ? ok(null) : sealer.unseal(sealed, domain)
}

const findDeleteBehind = ({ edit, edits }: NextEdit): Edit | undefined =>
  edits.find(({ kind, seq }) => kind === 'delete' && seq > edit.seq)

/** Returns when the Undo time of the delete behind this create ends, by the monotonic clock. Null if there is none. */
function undoDeadlineOfDelete({ holds }: AttemptPorts, nextEdit: NextEdit): number | null {
  const removal = findDeleteBehind(nextEdit)
  const hold = removal === undefined ? null : holds.of(removal)
  return hold?.reason === 'undo' ? hold.until : null
}

/**
 * Removes a create that is not on the service, and the delete behind it, unless its edits have changed meanwhile or one cannot be
 * read. If a request for the create still arrives, the look for late writes finds its website. Errors: `disk-full`, `storage`.
 */
function cancelCreate({ store, holds, clock }: AttemptPorts, nextEdit: NextEdit): Result<void> {
  return store.write(() => {
    const now = currentIfUnchanged(store, nextEdit)
    const edits = store.editsOf(nextEdit.website.key)
    if (now === null || findDeleteBehind({ ...nextEdit, edits }) === undefined || edits.some(isUnreadable))
      return ok(undefined)
    recordHistory(store, now.edit, 'undone', { at: clock.wall() })
    store.removeWebsite(nextEdit.website.key)
    for (const { id } of edits) holds.forget(id)
    return ok(undefined)
  })
}

/** Parks an edit whose password is missing; holds one whose password the keychain cannot unseal now. */
function parkOrHoldForPassword(ports: AttemptPorts, nextEdit: NextEdit, error: AppError): Result<void> {
  if (error.code === 'password-missing') return commitUnsent(ports, nextEdit, park('password', error))
  const now = readCurrentEdit(ports.store, nextEdit)
  if (!now.ok) return now
  if (now.value !== null) ports.holds.hold(now.value.edit.id, 'keychain', error)
  return ok(undefined)
}

/** Stores the outcome of an unsent edit, unless the edit has changed meanwhile. `retryLater` only delays the edit. */
function commitUnsent(ports: AttemptPorts, nextEdit: NextEdit, outcome: EditOutcome): Result<void> {
  if (!ports.isActive()) return ok(undefined)
  const now = readCurrentEdit(ports.store, nextEdit)
  if (!now.ok) return now
  if (now.value === null) return ok(undefined)
  if (outcome.kind !== 'retryLater') return applyRetryPolicy(ports, now.value.edit, outcome)
  delayAfterError(ports, now.value.edit, outcome.error)
  return ok(undefined)
}

/** An edit and its website as stored now. */
type CurrentEdit = Pick<NextEdit, 'edit' | 'website'>

const readCurrentEdit = (store: OutboxStore, nextEdit: NextEdit): Result<CurrentEdit | null> =>
  store.read(() => ok(currentIfUnchanged(store, nextEdit)))

/**
 * Returns the edit as stored now, with late writes in `remote` accepted. Null, so that nothing is sent or stored, if the edit is
 * gone or no longer queued, or if its kind, website or password has changed.
 */
function currentIfUnchanged(
  store: OutboxStore,
  was: NextEdit,
  remote: WebsiteRecord | null = null,
): CurrentEdit | null {
  const edit = store.edit(was.edit.id)
  if (edit?.standing.state !== 'queued' || edit.kind !== was.edit.kind || edit.website !== was.edit.website) return null
  const website = store.website(edit.website)
  if (website?.id !== was.website.id || website.domain !== was.website.domain) return null
  if (!isSameSealing(edit.sealed, was.edit.sealed)) return null
  return { edit: remote === null ? edit : acceptLateWrites(store, edit, remote), website }
}

/** Returns `tooEarly` if the read began too early to prove `outcome` (docs/sync.md#stale-reads). */
function tooEarlyIfUnproven({ holds }: AttemptPorts, edit: Edit, outcome: EditOutcome, readBegan: number): EditOutcome {
  const isRefuted = outcome.kind === 'notApplied' || outcome.kind === 'park'
  const isIgnored = outcome.kind === 'applied' && Object.keys(outcome.ignored).length > 0
  const until = isRefuted ? holds.provableFrom(edit.id) : isIgnored ? holds.mismatchProvableFrom(edit.id) : readBegan
  return readBegan < until ? tooEarly(inDoubtErrorOf(edit), until, isRefuted ? outcome.remote : null) : outcome
}

/** An edit that is still `sending` is in doubt too: the process ended, or its outcome could not be stored. */
const asInDoubt = (edit: Edit): Edit => ({
  ...edit,
  standing: edit.standing.state === 'inDoubt' ? edit.standing : { state: 'inDoubt', error: null },
  sent: edit.sent === null ? null : { ...edit.sent, doubted: true },
})
