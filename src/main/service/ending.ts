/**
 * Ends whatever listens, once. As an AbortController does, whose listeners come and go ten times as slowly: each request has a
 * dozen of them.
 */
export class Ending {
  /** Null: it's over. */
  #listeners: Set<() => void> | null = new Set()

  get over(): boolean {
    return this.#listeners === null
  }

  /** From here on it's called at the end; never where that has come. */
  on(listener: () => void): void {
    this.#listeners?.add(listener)
  }

  off(listener: () => void): void {
    this.#listeners?.delete(listener)
  }

  end(): void {
    const listeners = this.#listeners
    this.#listeners = null
    for (const listener of listeners ?? []) listener()
  }
}
