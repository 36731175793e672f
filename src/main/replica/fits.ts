import type { Filter } from '../../shared/search.ts'
import { filteredField } from '../../shared/fields.ts'
import type { WebsiteView } from '../../shared/website.ts'
import type { Facts } from './ports.ts'
import { overlapWith } from './ranges.ts'

export type Sought = Facts & Pick<WebsiteView, 'state' | 'bulkResult'> & { remoteChange?: unknown }

/** Whether a website isn't as the preset of this name says; undefined: nobody can tell, or there's no such preset. */
export type DiffersFrom = (preset: string) => (website: Sought) => boolean | undefined

/**
 * Whether a website, as the person sees it, fits all filters. Undefined: by what the service doesn't show, nobody can tell; it
 * fits neither a filter nor the contrary of it.
 */
export function fitsAll(
  filters: readonly Filter[],
  differsFrom: DiffersFrom,
): (website: Sought) => boolean | undefined {
  const tests = filters.map((filter) => ({ not: filter.not, test: testOf(filter, differsFrom) }))
  return (website) => {
    let known = true
    for (const { not, test } of tests) {
      const fits = test(website)
      if (fits === not) return false
      known &&= fits !== undefined
    }
    return known || undefined
  }
}

/** Undefined: nobody knows. */
function testOf(filter: Filter, differsFrom: DiffersFrom): (website: Sought) => boolean | undefined {
  switch (filter.name) {
    case 'pending':
      return ({ state }) => (state !== 'synced') === (filter.value === 'yes')
    case 'parked':
      return ({ state }) => (state === 'parked') === (filter.value === 'yes')
    case 'elsewhere':
      return ({ remoteChange }) => Boolean(remoteChange) === (filter.value === 'yes')
    case 'batch':
      return ({ bulkResult }) => (filter.value === 'all' ? bulkResult !== undefined : bulkResult === filter.value)
    case 'differs':
      return differsFrom(filter.value)
    case 'ip': {
      const overlaps = overlapWith(filter.value)
      return ({ exclude_ips: lines }) => lines?.some(overlaps)
    }
    default: {
      const { name, value } = filteredField(filter.name, filter.value)
      return ({ [name]: known }) => (known === undefined ? undefined : known === value)
    }
  }
}
