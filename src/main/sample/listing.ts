import { perPageValues, sortFieldNames } from '../../shared/fields.ts'
import type { SampleStore } from './store.ts'
import type { FieldErrorTexts, Validated } from './validation.ts'
import { toAnswer, type SampleWebsite } from './website.ts'

/** The values that the service accepts for parameters of a list request. */
const allowedValues: Record<string, readonly string[]> = {
  search_by: ['domain'],
  sort_by: sortFieldNames,
  sort: ['desc', 'asc'],
  per_page: perPageValues.map(String),
}

/** Returns a page of the list, with links and counts like those of real services (docs/interface.md#the-list). */
export function listPage(store: SampleStore, query: URLSearchParams, url: string): Validated<object> {
  const errors = queryErrors(query)
  if (errors !== undefined) return { errors }

  const found = search(store, query)
  const perPage = Number(query.get('per_page') ?? 10)
  const page = Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1)
  const last = Math.max(1, Math.ceil(found.length / perPage))
  const from = (page - 1) * perPage
  // A descending page is read from the end, instead of reversing up to 100,000 websites.
  const data =
    (query.get('sort') ?? 'desc') === 'asc' ? found.slice(from, from + perPage) : takeFromEnd(found, from, perPage)

  const link = (to: number): string => `${url}?${withPage(query, to).toString()}`
  return {
    values: {
      data: data.map(toAnswer),
      links: {
        first: link(1),
        last: link(last),
        prev: page > 1 ? link(page - 1) : null,
        next: page < last ? link(page + 1) : null,
      },
      meta: {
        current_page: page,
        from: data.length > 0 ? from + 1 : null,
        last_page: last,
        path: url,
        per_page: perPage,
        to: data.length > 0 ? from + data.length : null,
        total: found.length,
      },
      status: 200,
    },
  }
}

/** Errors by parameter name. Undefined if there are none. */
function queryErrors(query: URLSearchParams): FieldErrorTexts | undefined {
  const wrong = Object.keys(allowedValues).filter((name) => {
    const value = query.get(name)
    return value !== null && !allowedValues[name]?.includes(value)
  })
  if (wrong.length === 0) return undefined
  return Object.fromEntries(wrong.map((name) => [name, [`The selected ${name.replace('_', ' ')} is invalid.`]]))
}

function search(store: SampleStore, query: URLSearchParams): readonly SampleWebsite[] {
  const sorted = query.get('sort_by') === 'domain' ? store.sortedByDomain() : store.all()
  const text = (query.get('search') ?? '').toLowerCase()
  return text === '' ? sorted : sorted.filter(({ domain }) => domain.includes(text))
}

/** `from`: counted from the end of the list. */
const takeFromEnd = (list: readonly SampleWebsite[], from: number, count: number): SampleWebsite[] =>
  list.slice(Math.max(0, list.length - from - count), Math.max(0, list.length - from)).reverse()

function withPage(query: URLSearchParams, page: number): URLSearchParams {
  const linked = new URLSearchParams(query)
  linked.set('page', String(page))
  return linked
}
