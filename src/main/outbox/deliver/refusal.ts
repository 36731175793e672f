import type { AppError } from '../../../shared/result.ts'
import type { ParkReason } from '../model/edit.ts'

/**
 * What a 422 on `domain` is about. The service has no codes for it, so its words are all there is; they choose a
 * label and nothing else: whatever it is called, the edit is parked with the service's words.
 */
export function refusalOf(error: AppError): Extract<ParkReason, 'domain-taken' | 'website-limit' | 'refused'> {
  if (/too many|limit|maximum|upgrade/i.test(wordsOf(error))) return 'website-limit'
  return saysTaken(error) ? 'domain-taken' : 'refused'
}

/** It may say so beside the limit: where the website is this account's, there's no need of room for it. */
export const saysTaken = (error: AppError): boolean => /taken|already|exists|in use|unique/i.test(wordsOf(error))

const wordsOf = ({ fields }: AppError): string => (fields?.['domain'] ?? []).join(' ')
