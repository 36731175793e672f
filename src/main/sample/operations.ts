import { listPage } from './listing.ts'
import type { SampleStore } from './store.ts'
import { validateCreate, validateUpdate, type FieldErrorTexts } from './validation.ts'
import { toAnswer } from './website.ts'

/** A request to the sample service, without its HTTP details. */
export interface SampleRequest {
  method: string
  /** Without query and trailing slash. */
  path: string
  /** Scheme and host of the request, for links in the response. */
  origin: string
  query: URLSearchParams
  form: URLSearchParams
}

/** A response of the sample service. */
export interface SampleAnswer {
  status: number
  body: object
  headers?: Record<string, string>
}

/** Handles the operations of docs/interface.md#requests, with responses as in docs/service.md#response-shapes. */
export function perform(request: SampleRequest, store: SampleStore, websiteLimit: number): SampleAnswer {
  const { method, path } = request
  if (path === '/api/v1/account') return method === 'GET' ? data(200, sampleAccount(websiteLimit)) : notAllowed(request)
  if (path === '/api/v1/websites') {
    if (method === 'GET') return list(request, store)
    if (method === 'POST') return create(request, store, websiteLimit)
    return notAllowed(request)
  }
  const id = Number(/^\/api\/v1\/websites\/(\d{1,15})$/.exec(path)?.[1])
  const website = store.get(id)
  if (website === undefined) return notFound
  if (method === 'GET') return data(200, toAnswer(website))
  if (method === 'DELETE') return remove(id, store)
  if (method !== 'PUT') return notAllowed(request)

  const checked = validateUpdate(request.form, website)
  return 'errors' in checked
    ? invalid(checked.errors)
    : data(200, toAnswer(store.update(id, checked.values) ?? website))
}

function list({ query, origin, path }: SampleRequest, store: SampleStore): SampleAnswer {
  const page = listPage(store, query, origin + path)
  return 'errors' in page ? invalid(page.errors) : { status: 200, body: page.values }
}

function create({ form }: SampleRequest, store: SampleStore, websiteLimit: number): SampleAnswer {
  const checked = validateCreate(form, store, websiteLimit)
  return 'errors' in checked ? invalid(checked.errors) : data(201, toAnswer(store.create(checked.values)))
}

function remove(id: number, store: SampleStore): SampleAnswer {
  store.delete(id)
  return { status: 200, body: { id, object: 'website', deleted: true, status: 200 } }
}

/** `websites`: the limit of the plan; -1 means unlimited. */
const sampleAccount = (websites: number) => ({
  id: 1,
  object: 'account',
  name: 'Northwind Agency',
  email: 'hello@northwind.example',
  avatar_url: null,
  locale: 'en',
  timezone: 'Europe/Oslo',
  plan: {
    id: 2,
    name: 'Agency',
    features: { websites, pageviews: 1_000_000, api: 1, email_reports: 1, data_export: 1 },
  },
  created_at: '2018-10-02T08:00:00.000Z',
})

/** Returns a successful response with a record. */
const data = (status: number, record: object): SampleAnswer => ({ status, body: { data: record, status } })

const invalid = (errors: FieldErrorTexts): SampleAnswer => ({ status: 422, body: { message: errors, status: 422 } })

const notFound: SampleAnswer = { status: 404, body: { message: 'Resource not found.', status: 404 } }

const notAllowed = ({ method }: SampleRequest): SampleAnswer => ({
  status: 405,
  body: { message: `The ${method} method is not supported for this route.` },
})
