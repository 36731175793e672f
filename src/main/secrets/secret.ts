import { inspect } from 'node:util'

const REDACTED = '[redacted]'

/**
 * A secret in memory. Its text does not show when it is printed, joined, logged, serialised or cloned; only {@link
 * Secret.reveal} returns it, so its uses are easy to find (docs/sync.md#secrets-at-rest).
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
