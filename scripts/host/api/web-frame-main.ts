import { Strict } from '../strict.ts'

/** The main frame of a window. Subframes have no preload, so no message comes from one. */
export class WebFrameMain extends Strict {
  static override readonly apiName = 'WebFrameMain'
  readonly parent = null
  readonly routingId = 1
  readonly processId: number
  readonly frameToken: string
  readonly #url: () => string

  constructor(processId: number, frameToken: string, url: () => string) {
    super()
    this.processId = processId
    this.frameToken = frameToken
    this.#url = url
  }

  get url(): string {
    return this.#url()
  }

  get origin(): string {
    const { protocol, host } = new URL(this.#url() || 'about:blank')
    return host === '' ? 'null' : `${protocol}//${host}`
  }

  get top(): this {
    return this
  }

  isDestroyed(): boolean {
    return false
  }
}
