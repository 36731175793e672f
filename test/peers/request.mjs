const BASE = 'https://service.invalid/api/v1/websites'

/** Returns the request of an edit, according to docs/interface.md. */
export function requestOf(edit, idOf) {
  const headers = {
    accept: 'application/json',
    authorization: 'Bearer key-1',
    'content-type': 'application/x-www-form-urlencoded',
  }
  if (edit.kind === 'create') {
    return { url: BASE, method: 'POST', headers, body: new URLSearchParams({ domain: edit.domain }).toString() }
  }
  const url = `${BASE}/${idOf(edit.domain)}`
  if (edit.kind === 'delete') return { url, method: 'DELETE', headers }
  return { url, method: 'PUT', headers, body: new URLSearchParams({ [edit.field]: edit.value }).toString() }
}

/** True if the service refuses the content of a request. Trying the same request again never helps. */
export const isRefusal = (status) => status === 400 || status === 422

/** True if an answer is JSON. Answers that don't come from the service are not. */
export const isJson = (response) => (response.headers.get('content-type') ?? '').includes('json')
