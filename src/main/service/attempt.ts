import type { Dispatcher } from 'undici'
import {
  AbandonedRequest,
  neverSent,
  NeverSent,
  isClientCertificateRefused,
  type LostCode,
  type UnsentCode,
} from './request-errors.ts'

/** Hidden from `fetch`, which repeats the request after 421 and hides the body of a 407. */
const STATUSES_HANDLED_BY_FETCH = [407, 421]

/** The progress of one request: if it was sent, and how much of the response arrived. Can end the request early. */
export class RequestAttempt {
  readonly #abort = new AbortController()
  #sent = false
  #status = 0
  #complete = false

  /** True as soon as the first byte may have been sent. */
  get sent(): boolean {
    return this.#sent
  }

  /** 0 until the response begins. */
  get status(): number {
    return this.#status
  }

  /** True if the whole response arrived. */
  get complete(): boolean {
    return this.#complete
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Aborts the request with `unsent` if it was never sent, else with `lost`. If `lost` is null, a sent request continues. */
  end(unsent: UnsentCode, lost: LostCode | null): void {
    if (!this.#sent) this.#abort.abort(new NeverSent(unsent))
    else if (lost !== null) this.#abort.abort(new AbandonedRequest(lost))
  }

  /** Rejects when {@link end} ends the request. */
  aborted(): Promise<never> {
    return new Promise((_resolve, reject) => {
      const { signal } = this
      if (signal.aborted) reject(signal.reason as Error)
      else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
  }

  /** Sends this request over `dispatcher` and records its progress. */
  over(dispatcher: Dispatcher): Dispatcher {
    return dispatcher.compose((dispatch) => (options, handler) => dispatch(options, this.#recording(handler)))
  }

  #recording(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
    return {
      // undici calls this in the same tick in which it writes the request, unless the request is aborted here.
      onRequestStart: (controller, context) => {
        if (this.signal.aborted) return controller.abort(this.signal.reason as Error)
        this.#sent = true
        handler.onRequestStart?.(controller, context)
      },
      onResponseStart: (controller, status, headers, message) => {
        this.#status = status
        handler.onResponseStart?.(
          controller,
          STATUSES_HANDLED_BY_FETCH.includes(status) ? 400 : status,
          headers,
          message,
        )
      },
      onResponseData: (controller, chunk) => handler.onResponseData?.(withoutBackpressure(controller), chunk),
      onResponseEnd: (controller, trailers) => {
        this.#complete = true
        handler.onResponseEnd?.(controller, trailers)
      },
      onResponseError: (controller, error) => {
        const neverRead = !this.#sent || (this.#status === 0 && isClientCertificateRefused(error))
        handler.onResponseError?.(controller, neverRead ? neverSent(error) : error)
      },
    }
  }
}

/**
 * Never pauses: undici fails an assertion, which would end the app, if a host closes a paused connection whose response has no
 * length. The body needs no pause, because reading it stops at a limit (send.ts).
 */
const withoutBackpressure = (controller: Dispatcher.DispatchController): Dispatcher.DispatchController =>
  new Proxy(controller, {
    get: (target, name) => {
      if (name === 'pause') return () => undefined
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
