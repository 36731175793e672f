import type { Batch } from '../shared/batch.ts'
import { timeOf } from './dates.ts'
import { namedOf } from './elsewhere.ts'
import { count, number } from './numbers.ts'

const done: Record<Batch['kind'], string> = { create: 'added', update: 'changed', delete: 'deleted' }

/** How it has come out so far: "47 sent, 2 waiting", "49 sent; 1 needs you: a.example". */
function outcomeWords({ websites, sent, waiting, parked, back, domains }: Batch): string {
  if (sent === websites) return 'all sent'
  const told = [
    sent > 0 && `${number(sent)} sent`,
    waiting > 0 && `${number(waiting)} waiting`,
    parked > 0 && named(count(parked, 'needs you', 'need you'), domains.parked, parked),
    back > 0 && named(`${number(back)} not sent`, domains.back, back),
  ]
  // Names have commas between them.
  const between = domains.parked.length + domains.back.length > 0 ? '; ' : ', '
  return told.filter(Boolean).join(between)
}

const named = (said: string, domains: readonly string[], n: number): string =>
  domains.length > 0 ? `${said}: ${namedOf(domains, n)}` : said

/** Once nothing of it is on its way any more. */
export const batchTold = (batch: Batch): string => `${count(batch.websites, 'website')}: ${outcomeWords(batch)}.`

/** The same beside what waits, with what was done. */
export const batchHead = (batch: Batch): string =>
  `${count(batch.websites, 'website')} ${done[batch.kind]} ${timeOf(batch.at)}: ${outcomeWords(batch)}.`

export const batchActs = { show: 'Show what needs you', dismiss: 'Dismiss this result', undo: 'Undo all of it' }
