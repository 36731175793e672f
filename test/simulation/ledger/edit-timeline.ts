import type { HistoryEntry } from '../../../src/shared/edit.ts'
import type { App } from '../app/app.ts'

type HistoryRecord = Pick<HistoryEntry, 'id' | 'became'>

/** Between which two looks each edit came, and between which it was told what became of it, in virtual time. */
export class EditTimeline {
  #came = new Map<string, number>()
  /** What was given up may come again, by an import, and become something else. */
  #told = new Map<string, number>()
  /** Those of the same website that waited as it came: it may have taken one in, with what had arrived of that. */
  #met = new Map<string, string[]>()
  #last = 0

  look(now: number, { edits, history }: Pick<App, 'edits' | 'history'>): void {
    const [waiting, past] = [edits(), history()]
    for (const { id, website } of [...waiting, ...past]) {
      if (this.#came.has(id)) continue
      this.#came.set(id, this.#last)
      const met = waiting.flatMap((edit) => (edit.website === website && edit.id !== id ? [edit.id] : []))
      this.#met.set(id, met)
    }
    for (const name of past.map(nameOf)) if (!this.#told.has(name)) this.#told.set(name, now)
    this.#last = now
  }

  /** `from`: it wasn't there yet, nor what it has taken in; `until`: what became of it has been told. */
  of(past: HistoryRecord): { from: number; until: number } {
    return { from: this.#from(past.id), until: this.#told.get(nameOf(past)) ?? Infinity }
  }

  #from(id: string): number {
    const taken = (this.#met.get(id) ?? []).filter((met) => !this.#isTold(met))
    return Math.min(this.#came.get(id) ?? 0, ...taken.map((one) => this.#came.get(one) ?? 0))
  }

  #isTold = (id: string): boolean => [...this.#told.keys()].some((name) => name.startsWith(`${id} `))
}

const nameOf = ({ id, became }: HistoryRecord): string => `${id} ${became}`
