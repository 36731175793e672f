import { MAX_NAMED_WEBSITES, type BulkResult } from '../../shared/bulk.ts'
import type { UndoOutcome } from '../../shared/edit.ts'
import type { Result } from '../../shared/result.ts'

/**
 * The result of undoing creates or deletes. `queued`: the number of undone websites for which a request has to be sent. `asks`:
 * the websites that the user has to be asked about first.
 */
interface TakenBack {
  result: Pick<BulkResult, 'changed' | 'refused' | 'sent'> & { queued: number }
  asks: string[]
}

/**
 * The result of undoing a bulk change. `kept`: the domains of the websites whose creation or deletion is not undone, at least
 * until the user answers.
 */
export type Undone = BulkResult & { kept: string[] }

/** Sums up the outcomes of undoing the creates or deletes of websites. */
export function takenBack(
  kind: 'create' | 'delete',
  keys: readonly string[],
  outcomes: readonly Result<UndoOutcome>[],
  domainOf: (key: string) => string,
): TakenBack {
  const refused: BulkResult['refused'] = []
  const asks: string[] = []
  let [changed, queued] = [0, 0]
  keys.forEach((key, at) => {
    const outcome = outcomes[at]
    if (outcome === undefined) return
    if (!outcome.ok) refused.push({ key, domain: domainOf(key), error: outcome.error })
    else if (outcome.value === 'asks') asks.push(key)
    else {
      changed += 1
      if (outcome.value === 'queued') queued += 1
    }
  })
  const sent = { kind, count: asks.length, domains: asks.slice(0, MAX_NAMED_WEBSITES).map(domainOf) }
  return {
    result: { changed, queued, refused: refused.slice(0, MAX_NAMED_WEBSITES), ...(asks.length > 0 && { sent }) },
    asks,
  }
}
