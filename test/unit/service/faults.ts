import type { RequestListener, ServerResponse } from 'node:http'

/**
 * A fault of one request.
 * `drop-before`: the request is lost before the service applies it.
 * `drop-after`: the service applies the request, and the answer is lost.
 * `hang`: the request is neither applied nor answered.
 */
export type Fault =
  | { kind: 'drop-before' }
  | { kind: 'drop-after' }
  /** Sends half of the answer, and resets the connection. */
  | { kind: 'cut' }
  | { kind: 'hang' }
  | { kind: 'delay'; milliseconds: number }
  | { kind: 'answer'; status: number; body?: string; headers?: Record<string, string> }

/** Adds faults to a service. Each request takes the next fault of the queue. */
export function withFaults(listener: RequestListener) {
  const faults: Fault[] = []
  const faulty: RequestListener = (request, response) => {
    const fault = faults.shift()
    switch (fault?.kind) {
      case undefined:
        return listener(request, response)
      case 'drop-before':
        return void request.socket.destroy()
      case 'drop-after':
        response.writeHead = () => response
        response.end = () => {
          request.socket.destroy()
          return response
        }
        return listener(request, response)
      case 'cut':
        response.end = ((body: string) => {
          response.write(body.slice(0, body.length / 2), () => request.socket.resetAndDestroy())
          return response
        }) as ServerResponse['end']
        return listener(request, response)
      case 'hang':
        return void request.resume()
      case 'delay':
        return void setTimeout(() => listener(request, response), fault.milliseconds)
      case 'answer':
        request.resume()
        return void response.writeHead(fault.status, fault.headers).end(fault.body)
    }
  }
  return { listener: faulty, next: (...these: Fault[]) => void faults.push(...these) }
}
