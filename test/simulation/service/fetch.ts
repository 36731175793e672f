import type { Network } from './network.ts'
import type { Writer } from './records.ts'

/**
 * Creates a `fetch` over the simulated network, for the libraries that test/peers compares with Siteward. It resolves in
 * virtual time, and rejects with a `TypeError` if there is no answer.
 */
export const createFetch =
  (network: Network, by: Writer): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const arrival = await network.send(
      {
        method: request.method,
        path: pathname,
        query: search.slice(1),
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      },
      by,
    )
    if (arrival.state === 'unsent') throw new TypeError('fetch failed')
    if (arrival.state === 'lost' || !arrival.whole) throw new TypeError('terminated')
    const { status, headers, body } = arrival.answer
    return new Response(status === 204 ? null : body, { status, headers })
  }
