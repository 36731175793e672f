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

const stateTests = {
  pending: ({ state }: Sought) => state !== 'synced',
  'needs-attention': ({ state }: Sought) => state === 'parked',
  remote: ({ remoteChange }: Sought) => Boolean(remoteChange),
}

const bulkResults = { sent: 'sent', pending: 'waiting', 'needs-attention': 'parked', 'not-sent': 'back' } as const

/** Returns the test of one filter. The test returns undefined if the service doesn't show the value. */
function testOf(filter: Filter, differsFrom: DiffersFrom): (website: Sought) => boolean | undefined {
  switch (filter.name) {
    case 'state':
      return stateTests[filter.value]
    case 'bulk': {
      const { value } = filter
      return ({ bulkResult }) => (value === 'all' ? bulkResult !== undefined : bulkResult === bulkResults[value])
    }
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
