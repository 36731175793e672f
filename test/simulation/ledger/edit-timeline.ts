import type { HistoryEntry } from '../../../src/shared/edit.ts'
import type { App } from '../app/app.ts'

type HistoryRecord = Pick<HistoryEntry, 'id' | 'became'>

export class EditTimeline {
  #appeared = new Map<string, number>()
  /** Keyed by edit and outcome, because an import may bring a discarded edit back. */
  #ended = new Map<string, number>()
  /** For an edit, the other edits of its website that were pending when it appeared. It may have absorbed one of them. */
  #met = new Map<string, string[]>()
  #last = 0

  observe(now: number, { edits, results }: Pick<App, 'edits' | 'results'>): void {
    const [waiting, past] = [edits(), results()]
    for (const { id, website } of [...waiting, ...past]) {
      if (this.#appeared.has(id)) continue
      this.#appeared.set(id, this.#last)
      const met = waiting.flatMap((edit) => (edit.website === website && edit.id !== id ? [edit.id] : []))
      this.#met.set(id, met)
    }
    for (const name of past.map(nameOf)) if (!this.#ended.has(name)) this.#ended.set(name, now)
    this.#last = now
  }

  /**
   * Returns the time before which neither the edit nor one that it absorbed existed, and the time at which its outcome was
   * shown (`Infinity` if that has not happened).
   */
  of(past: HistoryRecord): { from: number; until: number } {
    return { from: this.#from(past.id), until: this.#ended.get(nameOf(past)) ?? Infinity }
  }

  #from(id: string): number {
    // The entry `…-saves` has the saves that went into a create, and appears with the outcome of the create.
    const edit = id.replace(/-saves$/, '')
    const absorbed = (this.#met.get(edit) ?? []).filter((met) => !this.#hasEnded(met))
    return Math.min(this.#appeared.get(edit) ?? 0, ...absorbed.map((one) => this.#appeared.get(one) ?? 0))
  }

  #hasEnded = (id: string): boolean => [...this.#ended.keys()].some((name) => name.startsWith(`${id} `))
}

const nameOf = ({ id, became }: HistoryRecord): string => `${id} ${became}`
