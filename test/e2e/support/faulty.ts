import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSampleListener } from '../../../src/main/sample/listener.ts'
import { createSampleStore, type SampleStore } from '../../../src/main/sample/store.ts'
import { planted } from './planted.ts'

/** Handles a request before the service does. Returns true if the service does not get it. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean

export interface FaultyService {
  readonly address: string
  readonly apiKey: string
  readonly store: SampleStore
  /** Handles each request before the service; null: the service gets every request. */
  fault: Fault | null
  /** Passes a request that a fault has held on to the service. */
  pass: (request: IncomingMessage, response: ServerResponse) => void
  close(): void
}

interface Times {
  /** Makes the service write times as `YYYY-MM-DD HH:MM:SS`, this many milliseconds ahead of UTC, without a zone. */
  zone?: number
}

/** Starts the sample service behind a fault, which a test sets and removes. */
export async function startFaultyService(websites: number, { zone }: Times = {}): Promise<FaultyService> {
  const store = createSampleStore({ websites })
  const listener = createSampleListener(store, { key: planted.apiKey, rate: 0 })
  const server = createServer((request, response) => {
    if (zone !== undefined) writeTimesIn(zone, response)
    if (service.fault?.(request, response) !== true) listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: FaultyService = {
    address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    apiKey: planted.apiKey,
    store,
    fault: null,
    pass: listener,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return service
}

function writeTimesIn(zone: number, response: ServerResponse): void {
  const { end } = response
  const textOf = (time: string): string =>
    new Date(Date.parse(time) + zone).toISOString().slice(0, 19).replace('T', ' ')
  response.end = ((body?: string) =>
    end.call(
      response,
      body?.replace(
        /"(created_at|updated_at)":"([^"]+)"/g,
        (_, name, time) => `"${String(name)}":"${textOf(String(time))}"`,
      ),
      'utf8',
    )) as typeof end
}

/** Returns a fault that holds the requests of a method. `release`: passes them to the service, and removes the fault. */
export function hold(service: FaultyService, method: string): Fault & { held: number; release: () => void } {
  const waiting: (() => void)[] = []
  const fault = ((request, response) => {
    if (request.method !== method) return false
    waiting.push(() => service.pass(request, response))
    fault.held += 1
    return true
  }) as ReturnType<typeof hold>
  fault.held = 0
  fault.release = () => {
    service.fault = null
    for (const pass of waiting.splice(0)) pass()
  }
  return fault
}

/** Returns a fault that lets the service apply every request of a method, and loses the answers. */
export const loseAnswers =
  (method: string): Fault =>
  (request, response) => {
    if (request.method !== method) return false
    response.writeHead = () => response
    response.end = () => response.destroy()
    return false
  }

/** Returns a fault that closes the connection of every request of a method. The service gets none; `taken` counts them. */
export function lose(method: string): Fault & { taken: number } {
  const fault = ((request, response) => {
    if (request.method !== method) return false
    fault.taken += 1
    response.destroy()
    return true
  }) as Fault & { taken: number }
  fault.taken = 0
  return fault
}
