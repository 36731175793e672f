export interface Toast {
  readonly id: number
  readonly text: string
  /** The time at which it was shown, in milliseconds since the page was loaded. */
  readonly at: number
  readonly action?: ToastAction
  readonly details?: readonly ToastDetail[]
}

/** A part of the text, with the websites that it is about. */
export interface ToastDetail {
  readonly text: string
  readonly domains: readonly string[]
}

/** The button of a toast. */
export interface ToastAction {
  readonly label: string
  readonly run: () => Promise<void>
  /**
   * The id of the edit or bulk change that the action applies to. The toast is dropped when the edit is sent or undone elsewhere.
   */
  readonly edit?: string
  /** True if the action undoes a bulk change, which stays possible after the toast has gone. */
  readonly bulk?: boolean
  /** The ids or names that the restored object had before and after the change. A later change of the object drops the toast. */
  readonly objects?: readonly string[]
  /** True if the action concerns no account, so that it stays when another account is shown. */
  readonly shared?: boolean
}

/** The progress of a long task. */
export interface Progress {
  readonly text: string
  readonly done: number
  readonly total: number
  readonly stop?: () => void
}

/** The question whether the undo of a bulk change also undoes what was sent: creates are deleted, and deletes are created again. */
export interface BulkUndoQuestion {
  readonly kind: 'create' | 'delete'
  /** Number of websites that the question is about. */
  readonly count: number
  /** The domains of the first of these websites; a domain that is unknown is empty. */
  readonly domains: readonly string[]
  /** The name of the account, if it isn't the one shown. */
  readonly account?: string
  readonly answer: (agreed: boolean) => Promise<void>
  /** Closes the question without an answer. The bulk change stays under Pending, and can be undone there. */
  readonly close: () => void
}

const SHOWN_FOR = 10_000 // milliseconds, as long as a delete waits before it's sent

/** Short messages that disappear after a while, but not while the pointer or the focus is on them, or a dialog is open. */
export class Toasts {
  #next = 1
  /** True while the pointer or the focus is on a toast, or a dialog is open. */
  #held = false
  /** The ids of the toasts whose time has passed while they were held. */
  #due: number[] = []
  /** The timers that end the time of a toast, by its id. */
  readonly #timers: Partial<Record<number, ReturnType<typeof setTimeout>>> = {}
  /**
   * The undos of the last changes, the latest last: those that {@link showUndo} has offered since the last change of websites,
   * after the undo of that change if it is a bulk change.
   */
  #undos: ToastAction[] = []
  list: Toast[] = $state.raw([])
  /** Null: no task is running. */
  progress: Progress | null = $state.raw(null)
  question: BulkUndoQuestion | null = $state.raw(null)
  /**
   * The id of the bulk change that is being undone, until the user has answered its question. Null if there is none, and as soon
   * as another account is shown.
   */
  undoing: string | null = null

  /** Shows a toast. Of the earlier toasts, only the last two that have an action stay. */
  show(text: string, action?: ToastAction, details: readonly ToastDetail[] = []): void {
    // A toast without an action is replaced by the next one, because toasts take space from the screen.
    // The same toast is renewed, so that pressing a shortcut again doesn't stack copies.
    const isSame = (shown: Toast) =>
      shown.text === text && shown.action?.label === action?.label && shown.action?.edit === action?.edit
    const offers = this.list.filter((shown) => shown.action && !isSame(shown)).slice(-2)
    const toast = this.#made(text, action)
    this.list = [...offers, details.length > 0 ? { ...toast, details } : toast]
    if (action?.edit !== undefined) this.#undos = action.bulk === true ? [action] : []
  }

  /**
   * Shows a toast about a change that is stored only on this computer, with a button that undoes it. Ctrl+Z undoes it too, also
   * after the toast has gone, until websites are changed. Several such changes are undone one by one, the latest first. The toast of
   * an earlier change of the same object goes, because its button would revert the later change too.
   */
  showUndo(
    text: string,
    label: string,
    undo: () => Promise<void>,
    options: Pick<ToastAction, 'objects' | 'shared'> = {},
  ): void {
    const run = (): Promise<void> => {
      this.#undos = this.#undos.filter((one) => one !== action)
      this.list = this.list.filter((toast) => toast.action !== action)
      return undo()
    }
    const action: ToastAction = { label, run, ...options }
    const isEarlier = ({ objects = [] }: ToastAction) => objects.some((one) => options.objects?.includes(one))
    // An equal toast stays, because it undoes another change.
    const others = this.list.filter((shown) => shown.action && !isEarlier(shown.action)).slice(-2)
    this.list = [...others, this.#made(text, action)]
    this.#undos.push(action)
  }

  /**
   * Replaces the toast about an edit or bulk change by one with a new text, or shows a new toast if there is none. `actionFrom`
   * derives the new action from the old one.
   */
  update(edit: string, text: string, actionFrom: (offered?: ToastAction) => ToastAction | undefined): void {
    const at = this.list.findIndex(({ action }) => action?.edit === edit)
    const action = actionFrom(this.list[at]?.action)
    if (at < 0) this.show(text, action)
    else this.list = this.list.with(at, this.#made(text, action))
  }

  /** Returns a new toast, which is dropped after its time, or when the toasts are no longer held. */
  #made(text: string, action?: ToastAction): Toast {
    const id = this.#next++
    this.#dropLater(id)
    const toast = { id, text, at: performance.now() }
    return action ? { ...toast, action } : toast
  }

  #dropLater(id: number): void {
    clearTimeout(this.#timers[id])
    this.#timers[id] = setTimeout(() => (this.#held ? this.#due.push(id) : this.drop(id)), SHOWN_FOR)
  }

  /** Starts the time of these toasts again, because they were behind a dialog. */
  renew(toasts: readonly Toast[]): void {
    for (const { id } of toasts) {
      this.#due = this.#due.filter((one) => one !== id)
      this.#dropLater(id)
    }
  }

  /** Returns the undo of the last change, once, if that is a bulk change or offered by {@link showUndo}; otherwise undefined. */
  takeUndo(): ToastAction | undefined {
    return this.#undos.pop()
  }

  /** Forgets the undo of this bulk change, because it is undone. */
  forgetUndo(bulkChange: string): void {
    this.#undos = this.#undos.filter(({ edit }) => edit !== bulkChange)
  }

  /** Forgets what {@link takeUndo} would return, because another change is made. */
  forgetUndos(): void {
    this.#undos = []
  }

  /**
   * Keeps all toasts while `held` is true, because the pointer or the focus is on them, or a dialog is open. False drops those
   * whose time has passed.
   */
  hold(held: boolean): void {
    this.#held = held
    if (held) return
    for (const id of this.#due.splice(0)) this.drop(id)
  }

  /**
   * Drops the toasts that undo this edit or bulk change. Null: drops the toasts that undo any edit, but not those that undo a
   * bulk change, because that can still be undone after it was sent.
   */
  dropAbout(edit: string | null): void {
    const isAbout = ({ edit: about, bulk }: ToastAction) =>
      edit === null ? about !== undefined && bulk !== true : about === edit
    this.list = this.list.filter(({ action }) => !action || !isAbout(action))
  }

  /**
   * Drops what applies to the account that was shown, once another one is shown: the question, and the toasts with an action. The
   * undo of a bulk change stays, because it names its account, and so does that of what all accounts share.
   */
  reset(): void {
    this.#undos = this.#undos.filter(({ shared }) => shared)
    this.question = this.undoing = null
    this.list = this.list.filter(({ action }) => !action || action.bulk === true || action.shared === true)
  }

  drop(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id)
  }
}
