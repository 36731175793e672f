import { createDefaults, type WebsiteChanges, type WebsiteDraft, type WebsiteRecord } from '../../../shared/website.ts'
import type { AppError } from '../../../shared/result.ts'
import type { Outcome } from '../../service/outcome.ts'
import type { Edit } from '../model/edit.ts'
import { confirmGone, findConnectionProblem } from '../remote/confirm.ts'
import { findByDomain } from '../remote/lookup.ts'
import type { OutboxPorts, Website } from '../ports.ts'
import { ignoredValuesToResend, unappliedRestOf } from '../reconcile/resend.ts'
import { judgeFoundWebsite, settle } from '../reconcile/settle.ts'
import { isNeverSent } from '../never-sent.ts'
import { differingRemoteValues } from '../model/compare-with-record.ts'
import {
  notApplied,
  applied,
  deleted,
  inDoubt,
  park,
  neverSent,
  retryLater,
  type EditOutcome,
} from '../model/edit-outcome.ts'

type Ports = Pick<OutboxPorts, 'service' | 'connectivity' | 'store' | 'readCache'>

/** Number of times that a create in doubt is rejected as taken, without being found, before the user is asked. */
const MAX_DOMAIN_TAKEN_ANSWERS = 4

/** Returns the values that a create sends, without the password. */
export const draftOf = (edit: Edit, domain: string): Omit<WebsiteDraft, 'password'> => ({
  ...createDefaults,
  ...edit.settings,
  domain,
})

/** Makes the one request of an edit that is `sending` on disk, and judges its answer (docs/sync.md#request-outcomes). */
export async function send(ports: Ports, edit: Edit, website: Website, password: string | null): Promise<EditOutcome> {
  const secret = password === null ? {} : { password }
  if (edit.kind === 'create') {
    const draft: WebsiteDraft = { ...draftOf(edit, website.domain), ...secret }
    return judgeWrite(ports, edit, website, await ports.service.create(draft))
  }
  if (website.id === null) return park('gone', null)
  if (edit.kind === 'update') {
    const changes: WebsiteChanges = { ...edit.settings, ...secret }
    return judgeWrite(ports, edit, website, await ports.service.update(website.id, changes))
  }
  const outcome = await ports.service.delete(website.id)
  return outcome.outcome === 'applied' ? deleted : judgeFailure(ports, edit, website, outcome)
}

/** Judges the answer to a create or an update. An accepted write with an empty answer is in doubt until its record is read. */
function judgeWrite(
  ports: Ports,
  edit: Edit,
  website: Website,
  outcome: Awaited<ReturnType<OutboxPorts['service']['update']>>,
): Promise<EditOutcome> | EditOutcome {
  if (outcome.outcome !== 'applied') return judgeFailure(ports, edit, website, outcome)
  return outcome.value === null ? inDoubt(null, true) : judgeAccepted(edit, outcome.value, outcome.meta.date ?? null)
}

/** Judges an accepted write. If the record ignores a value, that value is sent one more time. */
function judgeAccepted(edit: Edit, record: WebsiteRecord, date: number | null): EditOutcome {
  const ignored = differingRemoteValues(edit, record)
  return applied(record, ignored, ignoredValuesToResend(edit, ignored), false, date)
}

/** Judges a request that was rejected, lost or never sent. Only some refusals are about the edit itself. */
async function judgeFailure(
  ports: Ports,
  edit: Edit,
  website: Website,
  { outcome, error }: Exclude<Outcome<unknown>, { outcome: 'applied' }>,
): Promise<EditOutcome> {
  if (outcome === 'inDoubt') return inDoubt(error)
  switch (error.code) {
    case 'invalid':
      return judgeInvalid(ports, edit, website, error)
    case 'forbidden':
    case 'not-found':
    case 'refused':
      return judgeRefused(ports, edit, website, error)
    default:
      // 401, 429 and errors that kept the request from being written are not about the edit.
      return isNeverSent(error.code) ? neverSent(error) : retryLater(error)
  }
}

/** Judges a 422. If it is about the domain of a create, looks up whether a website has the domain. */
async function judgeInvalid(ports: Ports, edit: Edit, website: Website, error: AppError): Promise<EditOutcome> {
  if (edit.kind !== 'create' || error.fields?.['domain'] === undefined)
    return parkUnlessApplied(ports, edit, website, error)
  const reason = domainRefusalReason(error)
  const isDoubted = edit.sent?.doubted === true
  if (reason === 'website-limit' && !isDoubted && !mentionsTakenDomain(error)) return park(reason, error)
  // The domain may belong to an earlier request of ours, to another website of this account, or to someone else.
  const lookup = await findByDomain(ports.service, website.domain)
  if (lookup.found === 'present') {
    return isDoubted ? judgeFoundWebsite(ports, edit, lookup.website) : park('domain-taken', error, lookup.website)
  }
  if (lookup.found === 'unreadable' && isDoubted) return inDoubt(lookup.error)
  // The list may be a few seconds old and not show our website yet, so the user is asked only after several tries.
  const isEarly = isDoubted && reason === 'domain-taken' && (edit.sent?.failures ?? 0) < MAX_DOMAIN_TAKEN_ANSWERS
  return isEarly ? notApplied(error) : park(reason, error)
}

/**
 * Returns the reason for a 422 on `domain`. The service sends no codes for it, so its text decides, but only about the label: the
 * edit is parked with that text in any case.
 */
function domainRefusalReason(error: AppError): 'domain-taken' | 'website-limit' | 'refused' {
  if (/too many|limit|maximum|upgrade/i.test(domainErrorText(error))) return 'website-limit'
  return mentionsTakenDomain(error) ? 'domain-taken' : 'refused'
}

/** True if the text says that the domain is taken. The domain is then looked up, even if the text also mentions the limit. */
const mentionsTakenDomain = (error: AppError): boolean =>
  /taken|already|exists|in use|unique/i.test(domainErrorText(error))

/** Returns the service's error texts for the domain, joined by spaces. Empty if there are none. */
const domainErrorText = ({ fields }: AppError): string => (fields?.['domain'] ?? []).join(' ')

/**
 * Judges a refusal other than 401, 422 and 429. It counts as a refusal of the edit itself only after address, key and account
 * were checked.
 */
async function judgeRefused(ports: Ports, edit: Edit, website: Website, error: AppError): Promise<EditOutcome> {
  const { id } = website
  if (error.code !== 'not-found' || edit.kind === 'create' || id === null) {
    const other = await findConnectionProblem(ports, error)
    return other === null ? parkUnlessApplied(ports, edit, website, error) : retryLater(other)
  }
  const found = await confirmGone(ports, { id, domain: website.domain }, error)
  if (found === 'present') return notApplied(error)
  if (found !== 'gone') return retryLater(found)
  return edit.kind === 'delete' ? deleted : park('gone', error)
}

/** Parks a rejected edit, unless an earlier request of it proves to have been applied in full or in part. */
async function parkUnlessApplied(ports: Ports, edit: Edit, website: Website, error: AppError): Promise<EditOutcome> {
  const settled = edit.sent?.doubted === true ? await settle(ports, edit, website) : null
  if (settled?.kind === 'applied' || settled?.kind === 'deleted') return settled
  // A website with its domain exists, and the user is asked about that instead.
  if (settled?.kind === 'park' && edit.kind === 'create') return settled
  const isPartlyApplied =
    settled?.kind === 'notApplied' && settled.base !== null && unappliedRestOf(edit, settled.base) !== edit
  return isPartlyApplied ? settled : park('refused', error)
}
