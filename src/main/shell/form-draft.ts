import { formDraftsSchema, type FormDrafts } from '../../shared/form-draft.ts'
import type { Result } from '../../shared/result.ts'

export interface FormDraftPorts {
  /** The id of the active connection. */
  connection: () => string | null
  /** Reads the stored drafts of a connection, which may be malformed. */
  read: (connection: string) => unknown
  /** Stores the drafts of a connection. Null removes them. After an error, the next report of the page is stored. */
  write: (connection: string, formDrafts: FormDrafts | null) => Result<void>
}

/**
 * Keeps the state of the page's forms and list that the page reported last, for the connection that it showed. Typed text is
 * written to disk as soon as the page reports it and survives a restart. There is no field for a password.
 */
export function createFormDrafts({ connection, read, write }: FormDraftPorts) {
  let last: { of: string | null; formDrafts: FormDrafts } | null = null
  /** The text on disk of the connection that the page showed at the last report. */
  let written: string | null = null
  const stored = (of: string): FormDrafts | undefined => formDraftsSchema.safeParse(read(of)).data
  // Until the page has reported its state, it must not be unloaded.
  let held = true
  let typed = false
  const whenReady = Promise.withResolvers<void>()
  return {
    keep(formDrafts: FormDrafts): void {
      held = formDrafts.held
      typed = formDrafts.typed === true
      const of = formDrafts.account
      // The page doesn't show yet that another connection is active, or that the app is quitting.
      if (of !== connection()) return
      if (of !== last?.of) {
        // The page shows another connection only after the user has agreed to lose the text of the former one.
        if (last !== null && last.of !== null && written !== null) write(last.of, null)
        written = of === null ? null : typedText(stored(of))
      }
      last = { of, formDrafts }
      const text = typedText(formDrafts)
      if (of === null || text === written) return
      // The list position changes with each row that is scrolled, so it alone is not written.
      const list = { ...formDrafts.list, chosen: NO_SELECTION }
      const done = write(of, text === null ? null : { ...formDrafts, form: typedForm(formDrafts), list })
      if (done.ok) written = text
    },
    /** Returns the drafts of the active connection, or null. Waits until the last active connection is restored. */
    async get(): Promise<FormDrafts | null> {
      await whenReady.promise
      const of = connection()
      if (of === null) return null
      return last?.of === of ? last.formDrafts : (stored(of) ?? null)
    },
    /** True if the page must not be unloaded. */
    isHeld: () => held,
    /** True if the page has text that would be lost if the app quits. */
    isTyped: () => typed,
    /** Marks the last active connection as restored, or as not restorable. */
    ready: () => whenReady.resolve(),
  }
}

const NO_SELECTION = { all: false, keys: [] }

/** Returns the typed text as JSON, or null if nothing was typed. */
function typedText(formDrafts: FormDrafts | undefined): string | null {
  const form = typedForm(formDrafts)
  const aside = formDrafts?.aside ?? []
  return form === null && aside.length === 0 ? null : JSON.stringify([form, ...aside])
}

/** Returns the open form, or null if nothing was typed in it. */
function typedForm(formDrafts: FormDrafts | undefined): FormDrafts['form'] {
  const form = formDrafts?.form ?? null
  return form !== null && Object.keys(form.typed).length + form.cleared.length > 0 ? form : null
}
