import type { App } from './app.ts'

/** Between which two looks each edit came, and between which it was told what became of it, in virtual time. */
export class Told {
  #came = new Map<string, number>()
  #told = new Map<string, number>()
  #last = 0

  look(now: number, { edits, history }: Pick<App, 'edits' | 'history'>): void {
    const past = history().map(({ id }) => id)
    for (const id of [...edits().map((edit) => edit.id), ...past])
      if (!this.#came.has(id)) this.#came.set(id, this.#last)
    for (const id of past) if (!this.#told.has(id)) this.#told.set(id, now)
    this.#last = now
  }

  /** `from`: it wasn't there yet; `until`: what became of it has been told. */
  of(id: string): { from: number; until: number } {
    return { from: this.#came.get(id) ?? 0, until: this.#told.get(id) ?? Infinity }
  }
}
