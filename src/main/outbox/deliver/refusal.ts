import type { AppError } from '../../../shared/result.ts'
import type { ParkReason } from '../model/edit.ts'

/**
 * Returns the reason for a 422 on `domain`. The service sends no codes for it, so its text decides, but only about the label: the
 * edit is parked with that text in any case.
 */
export function refusalOf(error: AppError): Extract<ParkReason, 'domain-taken' | 'website-limit' | 'refused'> {
  if (/too many|limit|maximum|upgrade/i.test(domainErrorText(error))) return 'website-limit'
  return mentionsTakenDomain(error) ? 'domain-taken' : 'refused'
}

/** True if the text also says that the domain is taken: a website of this account then needs no room within the limit. */
export const mentionsTakenDomain = (error: AppError): boolean =>
  /taken|already|exists|in use|unique/i.test(domainErrorText(error))

const domainErrorText = ({ fields }: AppError): string => (fields?.['domain'] ?? []).join(' ')
