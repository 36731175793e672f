import { Agent, request } from 'node:http'
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

const agent = new Agent({ keepAlive: true })

/** By the least that Node has, over the connection of the one before it. */
export const askOnward: Ask = (served, { method, path, body }) =>
  new Promise((resolve, reject) => {
    const options = { method, headers: headersOf(served, { body }), agent } as const
    const asked = request(served.address + path, options, (answer) => void text(answer).then(resolve, reject))
    asked.once('error', reject).end(body)
  })

/** By the libraries that the app stands on, with nothing around them. */
export const byLibraries =
  (ask: Ask): Ask =>
  async (served, { method, path, body }) => {
    const fetch = async (): Promise<Response> => new Response(await ask(served, { method, path, body }))
    const answer = await createFetch({ fetch, Headers }).raw(served.address + path, {
      method,
      headers: headersOf(served, { body }),
      ...(body !== undefined && { body }),
      retry: false,
      responseType: 'text',
    })
    return answer._data ?? ''
  }
