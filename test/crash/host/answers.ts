import type { HostRecord, Records } from './records.ts'

export interface HostRequest {
  method: string
  path: string
  query: URLSearchParams
  form: URLSearchParams
}

export interface HostAnswer {
  status: number
  body: object
}

/** Answers the operations of docs/interface.md, in the format of docs/service.md. */
export function answer({ method, path, query, form }: HostRequest, records: Records): HostAnswer {
  if (path === '/api/v1/account') return found({ id: 1, name: 'Northwind', email: 'hello@northwind.example' })
  if (path === '/api/v1/websites')
    return method === 'POST' ? found(shown(records.create(form)), 201) : list(query, records)
  const id = Number(path.slice('/api/v1/websites/'.length))
  const there = records.get(id)
  if (there === undefined) return { status: 404, body: { message: 'Resource not found.', status: 404 } }
  if (method === 'PUT') return found(shown(records.update(id, form) ?? there))
  if (method !== 'DELETE') return found(shown(there))
  records.delete(id)
  return { status: 200, body: { id, object: 'website', deleted: true, status: 200 } }
}

const found = (data: object, status = 200): HostAnswer => ({ status, body: { data, status } })

function list(query: URLSearchParams, records: Records): HostAnswer {
  const search = query.get('search') ?? ''
  const all = records.all().filter(({ domain }) => domain.includes(search))
  const perPage = Number(query.get('per_page') ?? 10)
  const page = Number(query.get('page') ?? 1)
  const last = Math.max(1, Math.ceil(all.length / perPage))
  const data = all.slice((page - 1) * perPage, page * perPage).map(shown)
  const onward = new URLSearchParams(query)
  onward.set('page', String(page + 1))
  const next = page < last ? `http://host.invalid/api/v1/websites?${onward.toString()}` : null
  const meta = { current_page: page, last_page: last, per_page: perPage, total: all.length }
  return { status: 200, body: { data, links: { next }, meta, status: 200 } }
}

/** Returns a record as the service shows it: `password` is a boolean, and there is no `exclude_params`. */
const shown = (record: HostRecord): object => ({
  ...record,
  password: record.password !== null,
  exclude_params: undefined,
})
