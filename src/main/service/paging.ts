import { isObject, type Json, type JsonObject } from './content.ts'

/**
 * Returns the query of the next page, or null after the last one (docs/service.md#paging). The list ends with a null
 * `links.next`, with the last page of `meta`, or with an empty page. `query` is that of this page, `answer` its body, and `count`
 * its number of records.
 *
 * Only the query of `links.next` is used, as proxies change its origin. It is merged into the query of this page, because
 * some hosts omit our parameters from it and would continue in another order.
 */
export function nextPageQuery(query: URLSearchParams, answer: Json, count: number): string | null {
  if (count === 0) return null
  const links = isObject(answer) && isObject(answer['links']) ? answer['links'] : undefined
  const meta = isObject(answer) && isObject(answer['meta']) ? answer['meta'] : {}

  const page = integer(meta, 'current_page') ?? pageNumber(query)
  const last = integer(meta, 'last_page')
  if (last !== undefined && page >= last) return null

  if (links !== undefined && 'next' in links) {
    if (links['next'] === null) return null
    const linked = queryOf(links['next'])
    if (linked !== undefined) return merged(query, linked)
  }
  return merged(query, new URLSearchParams({ page: String(page + 1) }))
}

/** Returns the number of websites in the account, or undefined if the page doesn't have it. */
export function totalOf(answer: Json): number | undefined {
  const meta = isObject(answer) ? answer['meta'] : undefined
  return isObject(meta) ? integer(meta, 'total') : undefined
}

/** Returns the number of the requested page, which is 1 if the query names none. */
function pageNumber(query: URLSearchParams): number {
  const page = query.get('page')
  return page !== null && /^\d{1,9}$/.test(page) ? Number(page) : 1
}

/** Reads an integer that is written as a number or as text. Undefined if it is missing or no such integer. */
function integer(from: JsonObject, name: string): number | undefined {
  const value = from[name]
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return /^\d{1,9}$/.test(String(value)) ? Number(value) : undefined
}

/** Returns the query of a link, or undefined if it has none. */
function queryOf(link: Json | undefined): URLSearchParams | undefined {
  const start = typeof link === 'string' ? link.indexOf('?') : -1
  if (typeof link !== 'string' || start === -1) return undefined
  return new URLSearchParams(link.slice(start + 1).replace(/#.*$/s, ''))
}

/** Returns the query with the parameters of `linked`, which replace those of the same name. */
function merged(query: URLSearchParams, linked: URLSearchParams): string {
  const next = new URLSearchParams(query)
  for (const [name, value] of linked) next.set(name, value)
  return next.toString()
}
