import { formDraftsSchema, type FormDrafts } from '../../shared/form-draft.ts'
import type { Result } from '../../shared/result.ts'

export interface FormDraftPorts {
  /** Id of the active connection. */
  connection: () => string | null
  /** The stored drafts may be malformed. */
  read: (connection: string) => unknown
  /** Null removes the drafts. After an error, the next report of the page is stored. */
  write: (connection: string, formDrafts: FormDrafts | null) => Result<void>
}

/**
 * Keeps the drafts of the page's forms, and its list position, as the page reported them last. Typed text is written to disk at
 * once and survives a restart. There is no field for a password.
 */
export function createFormDrafts({ connection, read, write }: FormDraftPorts) {
  let last: { of: string | null; formDrafts: FormDrafts } | null = null
  /** The typed text on disk, for the connection of the last report. */
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
      // The page has not noticed yet that another connection is active, or that the app is quitting.
      if (of !== connection()) return
      if (of !== last?.of) {
        // The page shows another connection only after the user has agreed to lose the text of the former one.
        if (last !== null && last.of !== null && written !== null) write(last.of, null)
        written = of === null ? null : typedText(stored(of))
      }
      last = { of, formDrafts }
      const text = typedText(formDrafts)
      // Only typed text is a reason to write: the list position changes with each row that is scrolled.
      if (of === null || text === written) return
      const list = { ...formDrafts.list, chosen: NO_SELECTION }
      const done = write(of, text === null ? null : { ...formDrafts, form: typedForm(formDrafts), list })
      if (done.ok) written = text
    },
    /** Waits until the last active connection is restored. Null if it has no drafts. */
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
    /** Lets `get` continue, because the last active connection was restored or can't be. */
    ready: () => whenReady.resolve(),
  }
}

const NO_SELECTION = { all: false, keys: [] }

/** Returns everything that was typed, as JSON, or null if nothing was typed. */
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
