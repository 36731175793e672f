import type { HistoryEntry } from '../../src/shared/edit.ts'
import type { App } from './app.ts'

type Past = Pick<HistoryEntry, 'id' | 'became'>

/** Between which two looks each edit came, and between which it was told what became of it, in virtual time. */
export class Told {
  #came = new Map<string, number>()
  /** What was given up may come again, by an import, and become something else. */
  #told = new Map<string, number>()
  #last = 0

  look(now: number, { edits, history }: Pick<App, 'edits' | 'history'>): void {
    const past = history()
    for (const { id } of [...edits(), ...past]) if (!this.#came.has(id)) this.#came.set(id, this.#last)
    for (const name of past.map(nameOf)) if (!this.#told.has(name)) this.#told.set(name, now)
    this.#last = now
  }

  /** `from`: it wasn't there yet; `until`: what became of it has been told. */
  of(past: Past): { from: number; until: number } {
    return { from: this.#came.get(past.id) ?? 0, until: this.#told.get(nameOf(past)) ?? Infinity }
  }
}

const nameOf = ({ id, became }: Past): string => `${id} ${became}`
