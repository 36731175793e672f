import { getCACertificates } from 'node:tls'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import Client from 'undici/lib/dispatcher/client.js'
import { createLines, type Line, type LineOptions } from './line.ts'
import { NotConnected } from './not-connected.ts'

export type DispatcherOptions = LineOptions

/** The way out for one request. */
export interface Passage {
  dispatcher: Pick<Dispatcher, 'dispatch'>
  /**
   * `none`: nobody asked for a way out; `waiting`: for a connection; `begun`: from here on its bytes may have left.
   */
  state(): 'none' | 'waiting' | 'begun'
}

/** A proxy wants a name and a password before it passes anything on (407). */
export class ProxyLogin extends Error {
  override readonly name = 'ProxyLogin'
}

/** How requests reach the service. To be destroyed by whoever made it. */
export interface ServiceDispatcher {
  /** For one request, once: it never begins after one of `stops`, and its connection isn't waited for any longer. */
  passage(...stops: AbortSignal[]): Passage
  /**
   * Reads and parses the certificate authorities, some hundred of them, before the first HTTPS request has to wait for
   * it. Others get their turn in between.
   */
  warm(): Promise<void>
  /**
   * Whatever is under way ends: in doubt where bytes may have left, else unsent (`no-connection`). What is asked for later
   * goes its way.
   */
  interrupt(): void
  /** Whatever is under way ends, and nothing begins any more. */
  destroy(): Promise<void>
}

/**
 * Each request has a connection of its own: one kept from earlier may have died meanwhile, and a write lost with it would
 * be in doubt for nothing. TLS sessions are resumed.
 */
export function createDispatcher(options: DispatcherOptions = {}): ServiceDispatcher {
  const lines = createLines(options)
  const clients = new Set<Client>()
  let destroyed = false
  let ending = new AbortController()

  function send(line: Line | NotConnected, options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    const origin = String(options.origin)
    const client = new Client(origin, {
      pipelining: 0,
      allowH2: false,
      // In a turn of its own: the client isn't ready for an answer while it asks.
      connect: (_to, answer) => queueMicrotask(() => connected(line, answer)),
    })
    clients.add(client)
    client.dispatch(
      line instanceof Error || !line.atProxy ? options : { ...options, path: origin + options.path },
      handler,
    )
    void client.close().then(() => clients.delete(client))
  }

  async function endAll(): Promise<void> {
    ending.abort()
    await Promise.all([...clients].map((client) => client.destroy()))
  }

  return {
    passage(...stops) {
      let state: ReturnType<Passage['state']> = 'none'
      stops.push(ending.signal)
      function dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
        // Fetch by its standard sends a request again that was answered by 421; ours would rather not know how it went.
        if (state !== 'none') throw new Error('A request is sent once.')
        state = 'waiting'
        const watched = watch(handler, () => {
          if (stops.some(({ aborted }) => aborted)) return false
          state = 'begun'
          return true
        })
        void lines
          .open(new URL(String(options.origin)), stops)
          .catch((error: NotConnected) => error)
          .then((line) => send(line, options, watched))
        return true
      }
      return { dispatcher: { dispatch }, state: () => state }
    },
    async warm() {
      // Node keeps what it has read.
      getCACertificates('system')
      await othersTurn()
      lines.trust()
    },
    interrupt() {
      void endAll()
      if (!destroyed) ending = new AbortController()
    },
    destroy() {
      destroyed = true
      return endAll()
    },
  }
}

type Connected = Parameters<Extract<NonNullable<Client.Options['connect']>, (...args: never[]) => unknown>>[1]

function connected(line: Line | NotConnected, answer: Connected): void {
  if (line instanceof Error) answer(line, null)
  else if (line.socket.destroyed) answer(new NotConnected('unreachable'), null)
  else answer(null, line.socket)
}

/** Hands on what comes of a request; `mayBegin` is asked in the very turn in which its bytes are written. */
const watch = (handler: Dispatcher.DispatchHandler, mayBegin: () => boolean): Dispatcher.DispatchHandler => ({
  onRequestStart(controller, context) {
    if (mayBegin()) handler.onRequestStart?.(controller, context)
    else controller.abort(new NotConnected('no-connection'))
  },
  onResponseStart(controller, status, headers, text) {
    // Fetch makes a nameless network error of it.
    if (status === 407) controller.abort(new ProxyLogin())
    else handler.onResponseStart?.(controller, status, headers, text)
  },
  onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
  onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
  onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
})
