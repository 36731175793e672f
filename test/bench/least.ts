import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { createFetch, type FetchOptions } from 'ofetch'
import Client from 'undici/lib/dispatcher/client.js'
import fetching from 'undici/lib/web/fetch/index.js'
import headers from 'undici/lib/web/fetch/headers.js'
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

type FetchParts = Required<NonNullable<Parameters<typeof createFetch>[0]>>
const parts = { ...fetching, ...headers } as unknown as FetchParts
const send = createFetch(parts).raw

/** Over a connection of its own, by the libraries that the app stands on, with nothing around them. */
export const askByLibraries: Ask = async (served, { method, path, body }) => {
  const client = new Client(served.address, { pipelining: 0, allowH2: false })
  const answer = await send(served.address + path, {
    method,
    headers: headersOf(served, { body }),
    ...(body !== undefined && { body }),
    retry: false,
    responseType: 'text',
    dispatcher: client as unknown as NonNullable<FetchOptions['dispatcher']>,
  })
  await client.close()
  return answer._data as string
}
