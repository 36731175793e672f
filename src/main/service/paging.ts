import { isObject, type Json, type JsonObject } from './content.ts'

/**
 * The query of the page after this one, or null at the end (docs/service.md#paging): `links.next` where it is
 * given, else `meta`, else the next number; the end is a null `next`, `meta`'s last page, or an empty page. Of
 * `links.next` only the query is taken, since proxies get its origin wrong, and laid over what was asked: a host that
 * leaves our own parameters out of it would go on in another order.
 */
export function nextPage(asked: URLSearchParams, answer: Json, count: number): string | null {
  if (count === 0) return null
  const links = isObject(answer) && isObject(answer['links']) ? answer['links'] : undefined
  const meta = isObject(answer) && isObject(answer['meta']) ? answer['meta'] : {}

  const page = integer(meta, 'current_page') ?? pageNumber(asked)
  const last = integer(meta, 'last_page')
  if (last !== undefined && page >= last) return null

  if (links !== undefined && 'next' in links) {
    if (links['next'] === null) return null
    const given = queryOf(links['next'])
    if (given !== undefined) return merged(asked, given)
  }
  return merged(asked, new URLSearchParams({ page: String(page + 1) }))
}

/** How many there are in all, where the service tells. */
export function totalOf(answer: Json): number | undefined {
  const meta = isObject(answer) ? answer['meta'] : undefined
  return isObject(meta) ? integer(meta, 'total') : undefined
}

function pageNumber(asked: URLSearchParams): number {
  const page = asked.get('page')
  return page !== null && /^\d{1,9}$/.test(page) ? Number(page) : 1
}

/** A number, or the text of one. */
function integer(from: JsonObject, name: string): number | undefined {
  const text = String(from[name])
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

function queryOf(link: Json | undefined): URLSearchParams | undefined {
  const start = typeof link === 'string' ? link.indexOf('?') : -1
  if (typeof link !== 'string' || start === -1) return undefined
  return new URLSearchParams(link.slice(start + 1).replace(/#.*$/s, ''))
}

function merged(asked: URLSearchParams, given: URLSearchParams): string {
  const query = new URLSearchParams(asked)
  for (const [name, value] of given) query.set(name, value)
  return query.toString()
}
