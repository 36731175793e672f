import { inspect } from 'node:util'

const REDACTED = '[redacted]'

/**
 * A secret in memory. However it's printed, joined, logged, serialised or cloned, the text doesn't show: whoever needs
 * it says {@link Secret.reveal}, and can be found by that word (docs/sync.md#secrets-at-rest).
 */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return REDACTED
  }

  toJSON(): string {
    return REDACTED
  }

  [inspect.custom](): string {
    return REDACTED
  }
}
