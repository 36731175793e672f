import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSampleListener } from '../../../src/main/sample/listener.ts'
import { createSampleStore, type SampleStore } from '../../../src/main/sample/store.ts'
import { planted } from './planted.ts'

export interface StaleService {
  readonly address: string
  readonly apiKey: string
  readonly store: SampleStore
  /** Applies the next update and loses its answer. Reads then show the earlier state for this many milliseconds. */
  loseNextAnswer(lag: number): void
  close(): void
}

export async function startStaleService(websites: number): Promise<StaleService> {
  // Both stores start with the same websites. The second one never changes, so that it can answer stale reads.
  const [store, before] = [createSampleStore({ websites }), createSampleStore({ websites })]
  const options = { key: planted.apiKey, rate: 0 }
  const [current, stale] = [createSampleListener(store, options), createSampleListener(before, options)]
  let lag: number | null = null
  let staleUntil = 0
  const server = createServer((request, response) => {
    if (request.method === 'PUT' && lag !== null) {
      staleUntil = Date.now() + lag
      lag = null
      loseAnswer(response)
    }
    if (request.method === 'GET' && Date.now() < staleUntil) stale(request, response)
    else current(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    apiKey: planted.apiKey,
    store,
    loseNextAnswer: (ms) => void (lag = ms),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Resets the connection when the answer would be written. */
function loseAnswer(response: ServerResponse): void {
  response.writeHead = () => response
  response.end = () => response.destroy()
}
