import { inspect } from 'node:util'

const REDACTED = '[redacted]'

/** Printing, logging or serializing a secret doesn't show it. Only {@link Secret.reveal} does (docs/sync.md#secrets-at-rest). */
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
