import type { ClientRequest, IncomingMessage } from 'node:http'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { certificateAuthorities } from './authorities.ts'
import { Ending } from './ending.ts'
import { httpRequest } from './http.ts'
import { createKeptLines } from './kept-lines.ts'
import { createLines, type Line, type LineOptions } from './line.ts'
import { NotConnected } from './not-connected.ts'

export type DispatcherOptions = LineOptions

/** A request as HTTP has it. */
interface Message {
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
  closed(): Promise<unknown>
}

/** What ends a request. */
interface Ends {
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
 * A request goes over the connection of the one before it where that answered well just now (`kept-lines.ts`). If it was gone, a read
 * is asked again over its own (RFC 9110, 9.2.2); a write that may have left never is: it's in doubt. TLS sessions are resumed.
 */
export function createDispatcher(options: DispatcherOptions = {}): ServiceDispatcher {
  const lines = createLines(options)
  const kept = createKeptLines()
  const underWay = new Set<Promise<unknown>>()
  let destroyed = false
  let ending = new Ending()

  return {
    passage({ limit, closing }) {
      const end = ending
      const stops = [limit, closing, end]
      let begun = false
      let over: Promise<unknown> = Promise.resolve()
      function mayBegin(): boolean {
        begun = !stops.some(({ over }) => over)
        return begun
      }
      function sendBy(line: Line, message: Message): Promise<IncomingMessage> {
        const { url, method } = message
        const keeps = kept.mayKeep(url.origin, method)
        const { answer, closed } = sendOver(line, message, { keeps, mayBegin, ends: [limit, end] })
        underWay.add(closed)
        over = closed
        void closed.then(({ isWhole, isFree }) => {
          underWay.delete(closed)
          if (isFree) kept.keep(url.origin, line)
          else line.socket.destroy()
          if (begun && !isWhole && method !== 'GET' && !end.over) kept.distrust(url.origin)
        })
        return answer
      }
      return {
        async send(message) {
          const line = kept.take(message.url.origin, message.method)
          if (line !== null) {
            try {
              return await sendBy(line, message)
            } catch (error) {
              const isOver = stops.some(({ over }) => over)
              if (isOver || (begun && message.method !== 'GET')) throw error
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
      certificateAuthorities('system')
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

interface Sending {
  /** The service may leave the connection open. */
  keeps: boolean
  /** Asked in the very turn in which the bytes are written. */
  mayBegin: () => boolean
  /** Heard until the connection is closed, or free. */
  ends: readonly Ending[]
}

/**
 * `isWhole`: so was the answer. `isFree`: what was asked has left, and was answered well, so nothing more comes of it; a service that
 * refuses may leave part of what it was asked unread, and take that for the next request.
 */
function sendOver(line: Line, { url, method, headers, body }: Message, { keeps, mayBegin, ends }: Sending) {
  const path = url.pathname + url.search
  const request = httpRequest({
    method,
    path: line.atProxy ? url.origin + path : path,
    headers: { Host: url.host, ...headers, Connection: keeps ? 'keep-alive' : 'close' },
    createConnection: () => line.socket,
  })
  const answer = answerTo(request)
  const stop = (): void => void request.destroy()
  let told: IncomingMessage | undefined
  let hasLeft = false
  request
    .once('socket', ({ destroyed }) => {
      if (destroyed) request.destroy(new NotConnected('unreachable'))
      else if (!mayBegin()) request.destroy(new NotConnected('no-connection'))
      else for (const end of ends) end.on(stop)
    })
    .once('finish', () => (hasLeft = true))
    .once('response', (answer) => (told = answer))
    .end(body)

  const closed = new Promise<void>((resolve) => void request.once('close', resolve)).then(() => {
    for (const end of ends) end.off(stop)
    const isWhole = told?.complete === true
    return { isWhole, isFree: isWhole && hasLeft && isWell(told) }
  })
  return { answer, closed }
}

const isWell = ({ statusCode = 0 }: Partial<IncomingMessage> = {}): boolean => statusCode >= 200 && statusCode <= 299

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
