import { PRIVACY, settingNames, type WebsiteRecord, type WebsiteSettings } from '../../../shared/website.ts'
import { fail, ok, type AppError } from '../../../shared/result.ts'
import {
  matchingRemoteValues,
  differingValuesInLaterRead,
  hasChangedSince,
  isOtherWebsite,
} from '../model/compare-with-record.ts'
import { isSameIgnoringOrder, namesIn, pickCommon } from '../model/compare.ts'
import { baseOf, type Base, type Edit, type ShownRecord } from '../model/edit.ts'
import { confirmGone } from '../remote/confirm.ts'
import { acceptLateWrites } from '../late-writes/accept.ts'
import { findByDomain, readWithFallback } from '../remote/lookup.ts'
import { merge, oursOf } from './merge.ts'
import type { OutboxPorts, Website } from '../ports.ts'
import { readOr } from '../read-or.ts'
import { isSetBack } from '../model/possibly-sent.ts'
import { writeOnlyValuesToResend, valuesToResendAfterLookup } from './resend.ts'
import { isRestored, judgeRestored } from '../transfer/restored.ts'
import { isSameSealing } from '../late-writes/remember.ts'
import { compareTimeWithSend } from '../model/service-time.ts'
import { notApplied, applied, deleted, missing, park, retryLater, type EditOutcome } from '../model/edit-outcome.ts'
import type { LateWrite } from '../model/late-write.ts'

type Ports = Pick<OutboxPorts, 'service' | 'connectivity' | 'store' | 'readCache'>
type ClockPorts = Pick<OutboxPorts, 'store' | 'connectivity'>
type Target = Pick<WebsiteRecord, 'id' | 'domain'>

/** Finds out by reading, never by guessing, whether an edit in doubt was applied (docs/sync.md#request-outcomes). */
export async function settle(ports: Ports, edit: Edit, website: Website): Promise<EditOutcome> {
  const outcome = await settleByKind(ports, edit, website)
  return isRestored(edit) ? judgeRestored(edit, outcome) : outcome
}

function settleByKind(ports: Ports, edit: Edit, website: Website): Promise<EditOutcome> {
  if (edit.kind === 'create') return settleCreate(ports, edit, website)
  if (website.id === null) return Promise.resolve(park('gone', null))
  const target = { id: website.id, domain: website.domain }
  return edit.kind === 'update' ? settleUpdate(ports, edit, target) : settleDelete(ports, edit, target)
}

/** See docs/sync.md#create-in-doubt. */
async function settleCreate(ports: Ports, edit: Edit, website: Website): Promise<EditOutcome> {
  const lookup = await findByDomain(ports.service, website.domain)
  if (lookup.found === 'unreadable') return retryAfterFailedRead(ports, lookup.error)
  if (lookup.found === 'present') {
    // A stale list may still contain a deleted website, so the website is read by itself.
    const mayBeOld = edit.sent?.accepted === true && compareCreationWithSend(ports, lookup.website, edit) !== 'newer'
    const read = mayBeOld ? await ports.service.get(lookup.website.id) : null
    if (read === null || read.outcome === 'applied') return judgeFoundWebsite(ports, edit, lookup.website)
    return read.error.code === 'not-found' ? missing(inDoubtErrorOf(edit)) : retryAfterFailedRead(ports, read.error)
  }
  // The create was accepted but is not in the list yet: sending it again could only duplicate it.
  return edit.sent?.accepted ? missing(inDoubtErrorOf(edit)) : notApplied(inDoubtErrorOf(edit))
}

/** Decides whether a found website is ours, someone else's or a question for the user (docs/sync.md#create-in-doubt). */
export function judgeFoundWebsite(ports: ClockPorts, edit: Edit, remote: WebsiteRecord): EditOutcome {
  const { store } = ports
  const lateWrites = store.read(() => ok(store.lateWritesOf(edit.website)))
  if (!lateWrites.ok) return retryLater(lateWrites.error)
  // If the user has changed the create since, the website may have the values of an earlier request.
  const left = lateWrites.value.filter((lateWrite) => lateWrite.kind === 'create' && lateWrite.edit === edit.id)
  const earlier = left.filter((lateWrite) => matchesSentValues(lateWrite, remote))
  if (edit.sent?.accepted) {
    const ignored = differingValuesInLaterRead(edit, remote)
    return applied(remote, ignored, writeOnlyValuesToResend(edit, remote, Object.keys(ignored).length === 0, earlier))
  }
  const age = compareCreationWithSend(ports, remote, edit)
  const isOurs = matchesSentValues(edit, remote) || earlier.length > 0
  if (edit.sent?.before === 'present' || age === 'older' || !isOurs) return park('domain-taken', null, remote)
  if (edit.sent?.before !== 'absent' || age !== 'newer') return park('adopt', null, remote)
  return applied(remote, {}, valuesToResendAfterLookup(edit, remote, earlier))
}

/** See docs/sync.md#update-in-doubt. */
async function settleUpdate(ports: Ports, edit: Edit, target: Target): Promise<EditOutcome> {
  const read = await readWithFallback(ports, target)
  if (read.outcome !== 'applied') {
    if (read.error.code !== 'not-found') return retryAfterFailedRead(ports, read.error)
    return (await confirmGone(ports, target, read.error)) === 'gone' ? park('gone', read.error) : retryLater(read.error)
  }
  if (isOtherWebsite(edit.base, read.value)) return park('conflict', null, read.value)
  const { store } = ports
  const state = store.read(() =>
    ok({
      withLateWrites: acceptLateWrites(store, edit, read.value),
      earlier: store.lateWritesOf(edit.website),
      seen: store.edit(edit.id)?.sent?.shown ?? store.website(edit.website)?.record ?? null,
    }),
  )
  return state.ok ? judgeUpdateRead(edit, read.value, state.value) : retryLater(state.error)
}

/**
 * Judges a read of an update in doubt (docs/sync.md#update-in-doubt). `earlier`: our requests before this one. `seen`: the first
 * record with all visible values of the edit, or else the record in the replica. `seen` is compared with `asSent`, because
 * accepted late writes may have changed the base in `withLateWrites`. The outcome has the base of `asSent` too: late writes are
 * accepted again when the edit is sent, which notes the values that it overwrites.
 */
function judgeUpdateRead(
  asSent: Edit,
  remote: WebsiteRecord,
  {
    withLateWrites: edit,
    earlier,
    seen,
  }: { withLateWrites: Edit; earlier: readonly LateWrite[]; seen: ShownRecord | null },
): EditOutcome {
  const { base, sent } = asSent
  if (sent?.accepted) return applied(remote, differingValuesInLaterRead(edit, remote))
  const [now, then] = [evidenceOf(edit, remote, earlier), seen === null ? null : evidenceOf(asSent, seen, earlier)]
  if (now.hasArrived || then?.hasArrived === true) {
    // If an earlier request with the same values may still take effect, the read does not show which of them was applied.
    const isOnly = !earlier.some(({ edit: of }) => of === edit.id)
    const isProven = isOnly && (now.isProven || then?.isProven === true)
    return applied(remote, differingValuesInLaterRead(edit, remote), null, !isProven)
  }

  // If a list has shown all visible values, other values now are remote changes.
  const since = then?.isDone === true ? seen : null
  // Our own request may have changed `updated_at`, so the base gets that of the first record with our values, or of this read.
  const { updated_at } = (earlier.length === 0 ? since : null) ?? remote
  const ours = baseOf({ ...base.settings, ...matchingRemoteValues(edit, remote) }, updated_at, base.domain)
  if (now.isDone) return notApplied(inDoubtErrorOf(edit), ours, remote)
  if (since !== null) {
    return notApplied(
      inDoubtErrorOf(edit),
      { ...base, settings: { ...base.settings, ...matchingRemoteValues(edit, since) } },
      remote,
    )
  }
  // If the website has the privacy that our password needs, this request may have set it, so it is no remote change.
  const unit = edit.sealed === null ? {} : pickCommon(matchingRemoteValues(edit, remote), { privacy: PRIVACY.password })
  const mergeBaseOf = ({ settings }: Base): Base =>
    now.visibleCount > 0 ? { ...base, settings } : { ...ours, settings: { ...settings, ...unit } }
  const merged = merge(mergeBaseOf(edit.base), remote, oursOf(edit))
  return merged.conflicts.length > 0
    ? park('conflict', null, remote)
    : notApplied(inDoubtErrorOf(edit), mergeBaseOf(base), remote)
}

/** True if a record shows all values of the edit that the service shows at all. */
export const areVisibleValuesShown = (edit: Edit, remote: Partial<WebsiteSettings>): boolean =>
  evidenceOf(edit, remote, []).isDone

/**
 * Returns what a record proves about a request in doubt. A changed field with our value is only a sign, because another client or
 * an earlier request may have set it. A line that only we can have added proves the whole request (`isProven`). `visibleCount`:
 * number of changed fields that the record shows. `isDone`: the record shows all visible values of the edit. `hasArrived`: the
 * request counts as applied.
 */
function evidenceOf(edit: Edit, record: Partial<WebsiteSettings>, earlier: readonly LateWrite[]) {
  const { base, settings, sealed } = edit
  const touched = namesIn(settings)
  const visibleChanges = touched.filter(
    (name) =>
      base.settings[name] !== undefined &&
      record[name] !== undefined &&
      !isSameIgnoringOrder(base.settings, settings, name) &&
      !isSetBack(edit, name),
  )
  const arrived = visibleChanges.filter((name) => isSameIgnoringOrder(record, settings, name))
  const hasWriteOnlyValues = sealed !== null || touched.some((name) => record[name] === undefined)
  const otherRequests = earlier.filter((lateWrite) => !hasAllValuesOf(lateWrite, edit))
  const proving = arrived.filter(
    (name) => !otherRequests.some((lateWrite) => isSameIgnoringOrder(lateWrite.settings, settings, name)),
  )
  const isProven = proving.some((name) => addsLines(base.settings[name], settings[name]))
  const isSetBackThere = touched.every(
    (name) => record[name] === undefined || !isSetBack(edit, name) || isSameIgnoringOrder(record, settings, name),
  )
  const isDone = isSetBackThere && arrived.length > 0 && arrived.length === visibleChanges.length
  return {
    visibleCount: visibleChanges.length,
    isDone,
    isProven,
    hasArrived: isProven || (isDone && !hasWriteOnlyValues),
  }
}

/** True if `ours` is a list with lines that it did not have before. */
const addsLines = (before: unknown, ours: unknown): boolean =>
  Array.isArray(before) && Array.isArray(ours) && ours.some((line) => !before.includes(line))

/** True if an earlier request contained all values of the edit, so that it does not matter which of the two arrived. */
const hasAllValuesOf = (lateWrite: LateWrite, { settings, sealed }: Edit): boolean =>
  (sealed === null || isSameSealing(lateWrite.sealed, sealed)) &&
  settingNames.every((name) => settings[name] === undefined || isSameIgnoringOrder(lateWrite.settings, settings, name))

/** See docs/sync.md#delete-in-doubt. */
async function settleDelete(ports: Ports, edit: Edit, target: Target): Promise<EditOutcome> {
  const read = await readWithFallback(ports, target)
  if (read.outcome === 'applied') {
    return hasChangedSince(edit.base, read.value)
      ? park('conflict', null, read.value)
      : notApplied(inDoubtErrorOf(edit))
  }
  if (read.error.code !== 'not-found') return retryAfterFailedRead(ports, read.error)
  return (await confirmGone(ports, target, read.error)) === 'gone' ? deleted : retryLater(read.error)
}

/** Returns `retryLater`. Checks the connection first: if the service responds, only this edit has to wait. */
export async function retryAfterFailedRead(
  { connectivity }: Ports,
  error: Parameters<typeof retryLater>[0],
): Promise<EditOutcome> {
  if (connectivity.gate().open) await connectivity.probe()
  return retryLater(error)
}

/** Returns the error that brought the edit into doubt; `interrupted` if none is stored, as after a crash. */
export const inDoubtErrorOf = ({ standing }: Edit): AppError =>
  (standing.state === 'inDoubt' ? standing.error : null) ?? fail('interrupted').error

/** True if no value that the record shows differs from those sent. */
const matchesSentValues = ({ settings, sealed }: Pick<Edit, 'settings' | 'sealed'>, remote: WebsiteRecord): boolean =>
  settingNames.every((name) => remote[name] === undefined || isSameIgnoringOrder(remote, settings, name)) &&
  (remote.password === undefined || remote.password === (sealed !== null))

/** Compares by the service's clock. */
export const wasCreatedBeforeSend = (ports: ClockPorts, remote: WebsiteRecord, edit: Pick<Edit, 'sent'>): boolean =>
  compareCreationWithSend(ports, remote, edit) === 'older'

/** Tells if the website was created before or after the first request of the edit. */
function compareCreationWithSend(
  { store, connectivity }: ClockPorts,
  { created_at }: WebsiteRecord,
  { sent }: Pick<Edit, 'sent'>,
) {
  return compareTimeWithSend(created_at, {
    sentAt: sent?.date,
    now: connectivity.serviceDate(),
    offset: readOr(store, null, () => store.timeOffset()),
  })
}
