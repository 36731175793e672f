import type { ClientRequest, IncomingMessage } from 'node:http'
import { getCACertificates } from 'node:tls'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { Ending } from './ending.ts'
import { httpRequest } from './http.ts'
import { createKeptLines } from './kept-lines.ts'
import { createLines, type Line, type LineOptions } from './line.ts'
import { NotConnected } from './not-connected.ts'

export type DispatcherOptions = LineOptions

/** A request as HTTP has it. */
export interface Message {
  method: string
  url: URL
  headers: Record<string, string>
  body?: string
}

/** The way out for one request, once. */
export interface Passage {
  /**
   * Resolves as the answer begins; its reader meets whatever ends it early. Rejects with {@link NotConnected} where
   * nothing was sent, else with what Node says of the connection or of what came over it.
   */
  send(message: Message): Promise<IncomingMessage>
  /** From here on its bytes may have left. */
  begun(): boolean
  /** Resolves when nothing of it goes over its connection any more: an answer may be there before the request has left whole. */
  closed(): Promise<void>
}

/** What ends a request. */
export interface Ends {
  /** At any time. */
  limit: Ending
  /** Until it has begun; then it goes on to its answer. */
  closing: Ending
}

/** How requests reach the service. To be destroyed by whoever made it. */
export interface ServiceDispatcher {
  /** A request whose end has come never begins, and its connection isn't waited for any longer. */
  passage(ends: Ends): Passage
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
  /** Whatever is under way ends, nothing begins any more, and no connection is kept. */
  destroy(): Promise<void>
}

/**
 * A request goes over the connection of the one before it where that's there still, and answered just now (`kept-lines.ts`). If it
 * was gone, a read is asked again over its own (RFC 9110, 9.2.2); a write that may have left never is: it's in doubt. TLS sessions
 * are resumed.
 */
export function createDispatcher(options: DispatcherOptions = {}): ServiceDispatcher {
  const lines = createLines(options)
  const kept = createKeptLines()
  const underWay = new Set<Promise<void>>()
  let destroyed = false
  let ending = new Ending()

  return {
    passage({ limit, closing }) {
      const end = ending
      const stops = [limit, closing, end]
      let begun = false
      let over = Promise.resolve()
      function mayBegin(): boolean {
        begun = !stops.some(({ over }) => over)
        return begun
      }
      function sendBy(line: Line, message: Message): Promise<IncomingMessage> {
        const { answer, closed } = sendOver(line, message, mayBegin, [limit, end])
        underWay.add(closed)
        over = closed
        void closed.then(() => {
          underWay.delete(closed)
          kept.keep(message.url.origin, line)
        })
        return answer
      }
      return {
        async send(message) {
          const { origin } = message.url
          const line = kept.take(origin, message.method)
          if (line !== null) {
            try {
              return await sendBy(line, message)
            } catch (error) {
              if (stops.some(({ over }) => over)) throw error
              if (begun && message.method !== 'GET') {
                kept.distrust(origin)
                throw error
              }
              begun = false
            }
          }
          return sendBy(await lines.open(message.url, stops), message)
        },
        begun: () => begun,
        closed: () => over,
      }
    },
    async warm() {
      // Node keeps what it has read.
      getCACertificates('system')
      await othersTurn()
      lines.trust()
    },
    interrupt() {
      ending.end()
      kept.close()
      if (!destroyed) ending = new Ending()
    },
    async destroy() {
      destroyed = true
      ending.end()
      await Promise.all(underWay)
      kept.close()
    },
  }
}

/** `mayBegin` is asked in the very turn in which the bytes are written; `ends` are heard until the connection is closed. */
function sendOver(line: Line, message: Message, mayBegin: () => boolean, ends: readonly Ending[]) {
  const { url, method, body } = message
  const path = url.pathname + url.search
  const request = httpRequest({
    method,
    path: line.atProxy ? url.origin + path : path,
    headers: { Host: url.host, ...message.headers, Connection: 'keep-alive' },
    createConnection: () => line.socket,
  })
  const answer = answerTo(request)
  const stop = (): void => void request.destroy()
  request.once('socket', ({ destroyed }) => {
    if (destroyed) request.destroy(new NotConnected('unreachable'))
    else if (!mayBegin()) request.destroy(new NotConnected('no-connection'))
    else for (const end of ends) end.on(stop)
  })
  request.end(body)

  const closed = new Promise<void>((resolve) => void request.once('close', resolve)).then(() => {
    for (const end of ends) end.off(stop)
  })
  return { answer, closed }
}

/** What goes wrong after the answer has begun is told to whoever reads it. */
const answerTo = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    let begun: IncomingMessage | undefined
    request
      .once('response', (answer) => resolve((begun = answer)))
      .on('error', (error) => {
        reject(error)
        // What comes after a whole answer is nobody's.
        if (begun?.complete === false) begun.destroy(error)
      })
      // Node closes what goes over to another protocol (101) without a word.
      .once('close', () => reject(new Error('It was closed.')))
  })
