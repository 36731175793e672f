import { z } from 'zod'
import { formDraftsSchema, type FormDrafts } from '../../shared/form-draft.ts'

/**
 * What the page was in the middle of. It belongs to a connection. What was typed outlives the app, and is on disk as soon as
 * the page has told of it; it has no field for a password.
 */
export interface FormDraftKeeper {
  keep(formDrafts: FormDrafts): void
  /** Answers once it's known which connection is active. Null: nothing of that one. */
  get(): Promise<FormDrafts | null>
  /** Whether the page may be let go. */
  isHeld(): boolean
  /** What was active when the app ended is so again, or can't be. */
  ready(): void
}

export interface FormDraftsPorts {
  /** The id of the active one. */
  connection: () => string | null
  /** The note of it on disk, which may be anything. */
  read: () => unknown
  write: (note: FormDraftsNote | null) => void
}

const noteSchema = z.object({ of: z.string(), formDrafts: formDraftsSchema })
type FormDraftsNote = z.infer<typeof noteSchema>

export function createFormDrafts({ connection, read, write }: FormDraftsPorts): FormDraftKeeper {
  let kept: { of: string | null; formDrafts: FormDrafts } | null = noteSchema.safeParse(read()).data ?? null
  let written = textIn(kept?.formDrafts)
  // Before the page has said anything nobody knows.
  let held = true
  const known = Promise.withResolvers<void>()
  return {
    keep(formDrafts) {
      const of = connection()
      held = formDrafts.held
      kept = { of, formDrafts }
      const text = textIn(formDrafts)
      if (of === null || text === written) return
      written = text
      // Where the list was changes with each row that is scrolled by: that alone is no reason to write.
      write(text === null ? null : { of, formDrafts: { ...formDrafts, list: { ...formDrafts.list, chosen: NONE } } })
    },
    async get() {
      await known.promise
      return kept !== null && kept.of !== null && kept.of === connection() ? kept.formDrafts : null
    },
    isHeld: () => held,
    ready: () => known.resolve(),
  }
}

const NONE = { all: false, keys: [] }

/** What would be lost with it; null: nothing was typed. */
function textIn(formDrafts: FormDrafts | undefined): string | null {
  const form = formDrafts?.form ?? null
  return form !== null && Object.keys(form.typed).length + form.cleared.length > 0 ? JSON.stringify(form) : null
}
