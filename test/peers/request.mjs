const BASE = 'https://service.invalid/api/v1/websites'

/** Returns the one request of an edit, as any client of docs/interface.md makes it. */
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

/** True if the service refuses a request because of its content, so that trying it again never helps. */
export const isRefusal = (status) => status === 400 || status === 422

/** True if an answer is JSON, as only the service's own answers are. */
export const isJson = (response) => (response.headers.get('content-type') ?? '').includes('json')
