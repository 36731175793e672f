import { fieldTable } from '../../shared/fields.ts'
import { tidyLines } from '../../shared/validate.ts'
import {
  fieldNames,
  PRIVACY,
  type FieldName,
  type ListQuery,
  type WebsiteChanges,
  type WebsiteDraft,
} from '../../shared/website.ts'

/** In the order in which they are sent. */
export type FormFields = [FieldName, string][]

/** One request of docs/interface.md#requests. `path`: relative to the base URL. */
export interface ServiceRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: URLSearchParams
  form?: FormFields
}

const WEBSITES = '/api/v1/websites'
const ACCOUNT = '/api/v1/account'

/** An id may contain any character, and must stay one segment of the path. */
const websitePath = (id: string): string => `${WEBSITES}/${encodeURIComponent(id)}`

/** Has only the given parameters. */
export function buildListRequest(query: Partial<ListQuery>): ServiceRequest & { query: URLSearchParams } {
  const defined = Object.entries(query).filter(([, value]) => value !== undefined)
  return {
    method: 'GET',
    path: WEBSITES,
    query: new URLSearchParams(defined.map(([name, value]) => [name, String(value)])),
  }
}

/** `next`: the query that the page before has named. */
export const buildNextPageRequest = (next: string): ServiceRequest & { query: URLSearchParams } => ({
  method: 'GET',
  path: WEBSITES,
  query: new URLSearchParams(next),
})

export const buildGetRequest = (id: string): ServiceRequest => ({ method: 'GET', path: websitePath(id) })

export const buildAccountRequest = (): ServiceRequest => ({ method: 'GET', path: ACCOUNT })

export const buildCreateRequest = (draft: WebsiteDraft): ServiceRequest & { form: FormFields } => ({
  method: 'POST',
  path: WEBSITES,
  form: buildCreateForm(draft),
})

export const buildUpdateRequest = (id: string, changes: WebsiteChanges): ServiceRequest & { form: FormFields } => ({
  method: 'PUT',
  path: websitePath(id),
  form: buildUpdateForm(changes),
})

export const buildDeleteRequest = (id: string): ServiceRequest => ({ method: 'DELETE', path: websitePath(id) })

/** Keeps the order of `fieldNames`. An empty list becomes an empty value, which clears it (docs/service.md#partial-updates). */
function websiteForm(fields: WebsiteChanges & { domain?: string }): FormFields {
  const form: FormFields = []
  for (const name of fieldNames) {
    const value = fields[name]
    if (value !== undefined) form.push([name, formValue(value)])
  }
  return form
}

/**
 * Returns all fields, except empty lists, and except the password unless the privacy is 2
 * (docs/service.md#privacy-and-password). Defaults are sent too, because those of hosts differ.
 */
export function buildCreateForm(draft: WebsiteDraft): FormFields {
  return websiteForm(draft).filter(([name, value]) => {
    const { kind } = fieldTable[name]
    if (kind === 'secret') return draft.privacy === PRIVACY.password
    return kind !== 'list' || value !== ''
  })
}

/** Leaves out the domain, which can't be changed (docs/interface.md#requests). */
export function buildUpdateForm(changes: WebsiteChanges): FormFields {
  return websiteForm(changes).filter(([name]) => name !== 'domain')
}

function formValue(value: string | number | boolean | string[]): string {
  if (Array.isArray(value)) return tidyLines(value).join('\n')
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}
