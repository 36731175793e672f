import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { createFetch } from 'ofetch'
import type { Served } from './served.ts'

/** One request without any of our own: its method, its path, its form. Resolves with the answer's text. */
export type Ask = (served: Pick<Served, 'address' | 'apiKey'>, request: Asked) => Promise<string>

export interface Asked {
  method: 'GET' | 'PUT'
  path: string
  body?: string
}

export const headersOf = ({ apiKey }: Pick<Served, 'apiKey'>, { body }: Pick<Asked, 'body'>) => ({
  Accept: 'application/json',
  Authorization: `Bearer ${apiKey}`,
  ...(body !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
})

/** Node's own fetch, which keeps its connections. */
export const askByFetch: Ask = async (served, { method, path, body }) =>
  (
    await fetch(served.address + path, {
      method,
      headers: headersOf(served, { body }),
      ...(body !== undefined && { body }),
    })
  ).text()

/** Over a connection of its own, by the least that Node has. */
export const askApart: Ask = (served, { method, path, body }) =>
  new Promise((resolve, reject) => {
    const options = { method, headers: headersOf(served, { body }), agent: false } as const
    const asked = request(served.address + path, options, (answer) => void text(answer).then(resolve, reject))
    asked.once('error', reject).end(body)
  })

/** Over a connection of its own, by the libraries that the app stands on, with nothing around them. */
export const askByLibraries: Ask = async (served, { method, path, body }) => {
  const apart = async (): Promise<Response> => new Response(await askApart(served, { method, path, body }))
  const answer = await createFetch({ fetch: apart, Headers }).raw(served.address + path, {
    method,
    headers: headersOf(served, { body }),
    ...(body !== undefined && { body }),
    retry: false,
    responseType: 'text',
  })
  return answer._data ?? ''
}
