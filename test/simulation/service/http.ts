/** A request as it arrives, and an answer as it leaves; header names are in lower case. */
export interface HttpRequest {
  method: string
  path: string
  query: string
  headers: Readonly<Record<string, string>>
  body: string
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

export const html = (status: number, headers: Record<string, string> = {}): HttpAnswer => ({
  status,
  headers: { 'content-type': 'text/html', ...headers },
  body: '<!doctype html><title>Something else</title><p>Please log in to use this network.</p>',
})
