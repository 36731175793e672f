import type { AppError } from '../../shared/result.ts'
import type { ParkReason } from './edit.ts'

/**
 * What a 422 on `domain` is about. The service has no codes for it, so its words are all there is; they choose a
 * label and nothing else: whatever it is called, the edit is parked with the service's words.
 */
export function refusalOf(error: AppError): Extract<ParkReason, 'domain-taken' | 'website-limit' | 'refused'> {
  const words = (error.fields?.['domain'] ?? []).join(' ')
  if (/too many|limit|maximum|upgrade/i.test(words)) return 'website-limit'
  if (/taken|already|exists|in use|unique/i.test(words)) return 'domain-taken'
  return 'refused'
}
