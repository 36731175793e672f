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

/** Form fields in the order in which they are sent. */
export type FormFields = [FieldName, string][]

/** One request of docs/interface.md#requests. The path is relative to the base URL. */
export interface ServiceRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: URLSearchParams
  form?: FormFields
}

const WEBSITES = '/api/v1/websites'
const ACCOUNT = '/api/v1/account'

/** Returns the path of a website. An id may contain any character, and must stay one segment of the path. */
const websitePath = (id: string): string => `${WEBSITES}/${encodeURIComponent(id)}`

/** Returns the request for the list of websites, with only the given parameters. */
export function buildListRequest(query: Partial<ListQuery>): ServiceRequest & { query: URLSearchParams } {
  const defined = Object.entries(query).filter(([, value]) => value !== undefined)
  return {
    method: 'GET',
    path: WEBSITES,
    query: new URLSearchParams(defined.map(([name, value]) => [name, String(value)])),
  }
}

/** Returns the request for the page that an earlier page has named in its `next`, which is a query. */
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

/**
 * Returns the given fields in the order of `fieldNames`: `privacy` and switches as integers, lists with one entry a line.
 * An empty list becomes an empty value, which clears it (docs/interface.md#website-fields).
 */
function websiteForm(fields: WebsiteChanges & { domain?: string }): FormFields {
  const form: FormFields = []
  for (const name of fieldNames) {
    const value = fields[name]
    if (value !== undefined) form.push([name, formValue(value)])
  }
  return form
}

/**
 * Returns the form of a create: every field with a default, as hosts have different defaults; no empty list; a password
 * only with privacy 2 (docs/interface.md#requests).
 */
export function buildCreateForm(draft: WebsiteDraft): FormFields {
  return websiteForm(draft).filter(([name, value]) => {
    const { kind } = fieldTable[name]
    if (kind === 'secret') return draft.privacy === PRIVACY.password
    return kind !== 'list' || value !== ''
  })
}

/** Returns the form of an update: the given fields, without the domain (docs/interface.md#requests). */
export function buildUpdateForm(changes: WebsiteChanges): FormFields {
  return websiteForm(changes).filter(([name]) => name !== 'domain')
}

function formValue(value: string | number | boolean | string[]): string {
  if (Array.isArray(value)) return tidyLines(value).join('\n')
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}
