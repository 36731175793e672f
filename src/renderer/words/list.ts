import type { AppState } from '../../shared/state.ts'
import type { ListQuery } from '../../shared/website.ts'
import { number } from './numbers.ts'

export type Order = `${ListQuery['sort_by']} ${ListQuery['sort']}`

export const orderWords: Record<Order, string> = {
  'id desc': 'newest',
  'id asc': 'oldest',
  'domain asc': 'domain, A to Z',
  'domain desc': 'domain, Z to A',
}

/** How much of the list is here, while that isn't all of it. */
export function readSoFar({ refresh: { read, total }, websites }: AppState): string | undefined {
  return total !== null && read < total && websites < total ? `${number(read)} of ${number(total)} read` : undefined
}
