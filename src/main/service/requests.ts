import type { ListQuery, WebsiteChanges, WebsiteDraft } from '../../shared/website.ts'
import { createForm, updateForm, type Form } from './form.ts'

/** One request as docs/interface.md#requests has it; the path is relative to the base URL. */
export interface ServiceRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: URLSearchParams
  form?: Form
}

const WEBSITES = '/api/v1/websites'
const ACCOUNT = '/api/v1/account'

/** An id may hold any character: it stays one segment of the path. */
const websitePath = (id: string): string => `${WEBSITES}/${encodeURIComponent(id)}`

/** Only the parameters given are sent. */
export function listRequest(query: Partial<ListQuery>): ServiceRequest & { query: URLSearchParams } {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return {
    method: 'GET',
    path: WEBSITES,
    query: new URLSearchParams(given.map(([name, value]) => [name, String(value)])),
  }
}

/** `next` as an earlier page gave it: a query. */
export const nextRequest = (next: string): ServiceRequest & { query: URLSearchParams } => ({
  method: 'GET',
  path: WEBSITES,
  query: new URLSearchParams(next),
})

export const getRequest = (id: string): ServiceRequest => ({ method: 'GET', path: websitePath(id) })

export const accountRequest = (): ServiceRequest => ({ method: 'GET', path: ACCOUNT })

export const createRequest = (draft: WebsiteDraft): ServiceRequest & { form: Form } => ({
  method: 'POST',
  path: WEBSITES,
  form: createForm(draft),
})

export const updateRequest = (id: string, changes: WebsiteChanges): ServiceRequest & { form: Form } => ({
  method: 'PUT',
  path: websitePath(id),
  form: updateForm(changes),
})

export const deleteRequest = (id: string): ServiceRequest => ({ method: 'DELETE', path: websitePath(id) })
