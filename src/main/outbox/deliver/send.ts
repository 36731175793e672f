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

/** Number of "domain taken" responses to a create in doubt, without finding its website, after which the user is asked. */
const MAX_DOMAIN_TAKEN_ANSWERS = 4

/** Returns the website that a create sends, without its password. */
export const draftOf = (edit: Edit, domain: string): Omit<WebsiteDraft, 'password'> => ({
  ...createDefaults,
  ...edit.settings,
  domain,
})

/** Makes the single request of an edit that is `sending` on disk, and judges the response (docs/sync.md#request-outcomes). */
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

/** Judges the response to a create or update. An accepted write with an empty response is in doubt until its record is read. */
function judgeWrite(
  ports: Ports,
  edit: Edit,
  website: Website,
  outcome: Awaited<ReturnType<OutboxPorts['service']['update']>>,
): Promise<EditOutcome> | EditOutcome {
  if (outcome.outcome !== 'applied') return judgeFailure(ports, edit, website, outcome)
  return outcome.value === null ? inDoubt(null, true) : judgeAccepted(edit, outcome.value, outcome.meta.date ?? null)
}

/** Judges an accepted write. A value is sent once more if the record shows another one (docs/sync.md#mismatches). */
function judgeAccepted(edit: Edit, record: WebsiteRecord, date: number | null): EditOutcome {
  const ignored = differingRemoteValues(edit, record)
  return applied(record, ignored, ignoredValuesToResend(edit, ignored), false, date)
}

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
      // 401, 429 and errors before the request was written are not about the edit.
      return isNeverSent(error.code) ? neverSent(error) : retryLater(error)
  }
}

/** Judges a 422. For the domain of a create, looks up whether a website has that domain. */
async function judgeInvalid(ports: Ports, edit: Edit, website: Website, error: AppError): Promise<EditOutcome> {
  if (edit.kind !== 'create' || error.fields?.['domain'] === undefined)
    return parkUnlessApplied(ports, edit, website, error)
  const reason = domainRefusalReason(error)
  const isDoubted = edit.sent?.doubted === true
  // A text that mentions both the limit and a taken domain is looked up like a taken domain.
  if (reason === 'website-limit' && !isDoubted && !mentionsTakenDomain(error)) return park(reason, error)
  // A website with this domain may come from an earlier request of ours, be another one of this account, or belong to someone
  // else.
  const lookup = await findByDomain(ports.service, website.domain)
  if (lookup.found === 'present') {
    return isDoubted ? judgeFoundWebsite(ports, edit, lookup.website) : park('domain-taken', error, lookup.website)
  }
  if (lookup.found === 'unreadable' && isDoubted) return inDoubt(lookup.error)
  // The list may be a few seconds old and lack our website, so the user is asked only after several tries.
  const isEarly = isDoubted && reason === 'domain-taken' && (edit.sent?.failures ?? 0) < MAX_DOMAIN_TAKEN_ANSWERS
  return isEarly ? notApplied(error) : park(reason, error)
}

/**
 * Guesses the reason for a 422 on `domain` from its text, because the service sends no codes. `website-limit` makes all creates
 * wait (docs/sync.md#website-limit), and a create that was in doubt is tried a few times more after `domain-taken`.
 */
function domainRefusalReason(error: AppError): 'domain-taken' | 'website-limit' | 'refused' {
  if (/too many|limit|maximum|upgrade/i.test(domainErrorText(error))) return 'website-limit'
  return mentionsTakenDomain(error) ? 'domain-taken' : 'refused'
}

const mentionsTakenDomain = (error: AppError): boolean =>
  /taken|already|exists|in use|unique/i.test(domainErrorText(error))

const domainErrorText = ({ fields }: AppError): string => (fields?.['domain'] ?? []).join(' ')

/** Judges a rejection other than 401, 422 and 429. The edit itself is rejected only if address, key and account are fine. */
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

/** Parks a rejected edit, unless an earlier request of it was applied in full or in part. */
async function parkUnlessApplied(ports: Ports, edit: Edit, website: Website, error: AppError): Promise<EditOutcome> {
  const settled = edit.sent?.doubted === true ? await settle(ports, edit, website) : null
  if (settled?.kind === 'applied' || settled?.kind === 'deleted') return settled
  // A website with this domain exists, so the user is asked about it instead.
  if (settled?.kind === 'park' && edit.kind === 'create') return settled
  const isPartlyApplied =
    settled?.kind === 'notApplied' && settled.base !== null && unappliedRestOf(edit, settled.base) !== edit
  return isPartlyApplied ? settled : park('refused', error)
}
