import { z } from 'zod'
import { unfinishedSchema, type Unfinished } from '../../shared/unfinished.ts'

/**
 * What the page was in the middle of. It belongs to a connection. What was typed outlives the app, and is on disk as soon as
 * the page has told of it; it has no field for a password.
 */
export interface UnfinishedWork {
  keep(unfinished: Unfinished): void
  /** Answers once it's known which connection is active. Null: nothing of that one. */
  get(): Promise<Unfinished | null>
  /** Whether the page may be let go. */
  isHeld(): boolean
  /** What was active when the app ended is so again, or can't be. */
  ready(): void
}

export interface UnfinishedPorts {
  /** The id of the active one. */
  connection: () => string | null
  /** The note of it on disk, which may be anything. */
  read: () => unknown
  write: (note: UnfinishedNote | null) => void
}

const noteSchema = z.object({ of: z.string(), unfinished: unfinishedSchema })
type UnfinishedNote = z.infer<typeof noteSchema>

export function createUnfinished({ connection, read, write }: UnfinishedPorts): UnfinishedWork {
  let kept: { of: string | null; unfinished: Unfinished } | null = noteSchema.safeParse(read()).data ?? null
  let written = textIn(kept?.unfinished)
  // Before the page has said anything nobody knows.
  let held = true
  const known = Promise.withResolvers<void>()
  return {
    keep(unfinished) {
      const of = connection()
      held = unfinished.held
      kept = { of, unfinished }
      const text = textIn(unfinished)
      if (of === null || text === written) return
      written = text
      // Where the list was changes with each row that is scrolled by: that alone is no reason to write.
      write(text === null ? null : { of, unfinished: { ...unfinished, list: { ...unfinished.list, chosen: NONE } } })
    },
    async get() {
      await known.promise
      return kept !== null && kept.of !== null && kept.of === connection() ? kept.unfinished : null
    },
    isHeld: () => held,
    ready: () => known.resolve(),
  }
}

const NONE = { all: false, keys: [] }

/** What would be lost with it; null: nothing was typed. */
function textIn(unfinished: Unfinished | undefined): string | null {
  const form = unfinished?.form ?? null
  return form !== null && Object.keys(form.typed).length + form.cleared.length > 0 ? JSON.stringify(form) : null
}
