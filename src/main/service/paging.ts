import { isObject, type Json, type JsonObject } from './content.ts'

/**
 * Returns the query of the next page, or null after the last one (docs/service.md#paging). `answer`: the body of this page.
 * `count`: its number of records. Only the query of `links.next` is used, because proxies change its origin. It is merged into
 * `query`, because some hosts omit our parameters from it and would continue in another order.
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

/** Returns the number of all websites that a page of the list names, or undefined if it names none. */
export function totalOf(answer: Json): number | undefined {
  const meta = isObject(answer) ? answer['meta'] : undefined
  return isObject(meta) ? integer(meta, 'total') : undefined
}

/** 1 if the query names no page. */
function pageNumber(query: URLSearchParams): number {
  const page = query.get('page')
  return page !== null && /^\d{1,9}$/.test(page) ? Number(page) : 1
}

/** Reads an integer that is written as a number or as text. */
function integer(from: JsonObject, name: string): number | undefined {
  const value = from[name]
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return /^\d{1,9}$/.test(String(value)) ? Number(value) : undefined
}

function queryOf(link: Json | undefined): URLSearchParams | undefined {
  const start = typeof link === 'string' ? link.indexOf('?') : -1
  if (typeof link !== 'string' || start === -1) return undefined
  return new URLSearchParams(link.slice(start + 1).replace(/#.*$/s, ''))
}

/** Parameters of `linked` replace those of the same name. */
function merged(query: URLSearchParams, linked: URLSearchParams): string {
  const next = new URLSearchParams(query)
  for (const [name, value] of linked) next.set(name, value)
  return next.toString()
}
