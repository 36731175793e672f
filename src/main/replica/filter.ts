import type { Filter } from '../../shared/search.ts'
import { fieldOfFilter } from '../../shared/fields.ts'
import { parseCreated, spanOf } from '../../shared/created-filter.ts'
import { parseTime } from '../../shared/display/format.ts'
import { overlap, parseRange } from '../../shared/ip-range.ts'
import { isSameTag } from '../../shared/tags.ts'
import type { WebsiteView } from '../../shared/website.ts'
import type { FilterableFields } from './ports.ts'

/** The fields of a website that filters test. */
export type FilterableWebsite = FilterableFields &
  Pick<WebsiteView, 'state' | 'tags' | 'note'> & {
    /** Null if the website is not created yet. */
    id?: string | null
  }

/** Returns a test for websites that differ from a preset: undefined if that is unknown, or without such a preset. */
export type DiffersFrom = (preset: string) => (website: FilterableWebsite) => boolean | undefined

/**
 * Returns a test for websites that match all filters. A field that the service doesn't show matches neither its filter nor the
 * negation: the result is then undefined, or false if another filter doesn't match.
 */
export function createFilterTest(
  filters: readonly Filter[],
  differsFrom: DiffersFrom,
): (website: FilterableWebsite) => boolean | undefined {
  const tests = filters.map((filter) => ({ not: filter.not, test: testOf(filter, differsFrom) }))
  return (website) => {
    let isKnown = true
    for (const { not, test } of tests) {
      const matches = test(website)
      if (matches === not) return false
      isKnown &&= matches !== undefined
    }
    return isKnown || undefined
  }
}

const stateTests = {
  pending: ({ state }: FilterableWebsite) => state !== 'synced',
  'needs-attention': ({ state }: FilterableWebsite) => state === 'parked',
}

/** Ignores the negation. The test returns undefined if the tested value is unknown. */
function testOf(filter: Filter, differsFrom: DiffersFrom): (website: FilterableWebsite) => boolean | undefined {
  switch (filter.name) {
    case 'state':
      return stateTests[filter.value]
    case 'differs':
      return differsFrom(filter.value)
    case 'tag':
      return ({ tags = [] }) => tags.some((tag) => isSameTag(tag, filter.value))
    case 'note':
      return ({ note = '' }) => note.toLowerCase().includes(filter.value.toLowerCase())
    case 'parameters':
      return ({ exclude_params: lines }) => lines && lines.length > 0 === (filter.value === 'some')
    case 'created': {
      const isWithin = createdWithin(filter.value)
      // A website that is not created yet counts as created now.
      return ({ id, created_at }) => isWithin(id === null ? new Date() : parseTime(created_at ?? ''))
    }
    case 'ip': {
      const overlaps = overlapsWith(filter.value)
      return ({ exclude_ips: lines }) => lines?.some(overlaps)
    }
    default: {
      const { name, value } = fieldOfFilter(filter.name, filter.value)
      return ({ [name]: shown }) => (shown === undefined ? undefined : shown === value)
    }
  }
}

/** The test returns undefined for an unknown time. */
function createdWithin(value: string): (time: Date | undefined) => boolean | undefined {
  const created = parseCreated(value)
  const { from, to } = created ? spanOf(created, new Date()) : { from: Infinity, to: Infinity }
  return (time) => time && time.getTime() >= from && time.getTime() < to
}

/** Returns a test for entries of an exclude list that have an address in common with `range`. */
export function overlapsWith(range: string): (entry: string) => boolean {
  const parsed = parseRange(range)
  return (entry) => {
    const other = parsed && parseRange(entry.trim())
    return other !== null && parsed !== null && overlap(parsed, other)
  }
}
