import type { Dispatcher } from 'undici'
import { GivenUp, neverSent, NeverSent, type LostCode, type UnsentCode } from './request-errors.ts'

/** `fetch` acts on these statuses by itself: it asks again after 421, and hides the answer of a 407. */
const ACTED_ON = [407, 421]

/** One request: whether it was sent, how far its answer came, and what ends it early. */
export class Attempt {
  readonly #abort = new AbortController()
  #sent = false
  #status = 0
  #complete = false

  /** True from the moment in which its first byte may have left. */
  get sent(): boolean {
    return this.#sent
  }

  /** Status of the answer; 0 before it begins. */
  get status(): number {
    return this.#status
  }

  /** True if the answer came to its end. */
  get complete(): boolean {
    return this.#complete
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Ends the request: as never sent if that is so, else as lost. With `lost` null a request that was sent goes on. */
  end(unsent: UnsentCode, lost: LostCode | null): void {
    if (!this.#sent) this.#abort.abort(new NeverSent(unsent))
    else if (lost !== null) this.#abort.abort(new GivenUp(lost))
  }

  /** Rejects when the request is ended. */
  aborted(): Promise<never> {
    return new Promise((_resolve, reject) => {
      const { signal } = this
      if (signal.aborted) reject(signal.reason as Error)
      else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
  }

  /** Returns a dispatcher that sends this request, and notes how far it came. */
  over(dispatcher: Dispatcher): Dispatcher {
    return dispatcher.compose((dispatch) => (options, handler) => dispatch(options, this.#noting(handler)))
  }

  #noting(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
    return {
      // undici calls this in the very turn in which it writes the request, unless the request is aborted here.
      onRequestStart: (controller, context) => {
        if (this.signal.aborted) return controller.abort(this.signal.reason as Error)
        this.#sent = true
        handler.onRequestStart?.(controller, context)
      },
      onResponseStart: (controller, status, headers, message) => {
        this.#status = status
        handler.onResponseStart?.(controller, ACTED_ON.includes(status) ? 400 : status, headers, message)
      },
      onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
      onResponseEnd: (controller, trailers) => {
        this.#complete = true
        handler.onResponseEnd?.(controller, trailers)
      },
      onResponseError: (controller, error) =>
        handler.onResponseError?.(controller, this.#sent ? error : neverSent(error)),
    }
  }
}
