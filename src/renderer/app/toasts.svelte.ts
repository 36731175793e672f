export interface Toast {
  readonly id: number
  readonly text: string
  readonly action?: ToastAction
}

export interface ToastAction {
  readonly label: string
  readonly run: () => Promise<void>
  /** The edit that it's about, if there's one; once that is settled otherwise, there is nothing to offer. */
  readonly edit?: string
  /** It takes back a bulk change, which can be done when the toast has gone too. */
  readonly bulk?: boolean
}

/** Something long that is under way. */
export interface Progress {
  readonly text: string
  readonly done: number
  readonly total: number
  readonly stop?: () => void
}

const STAYS = 10_000 // milliseconds: as long as a delete waits for its Undo

/** Short messages that go by themselves, but not while they're looked at. */
export class Toasts {
  #next = 1
  #held = false
  /** Those whose time was over meanwhile. */
  #due: number[] = []
  #bulk: ToastAction | null = null
  list: Toast[] = $state.raw([])
  /** Until it has ended. */
  progress: Progress | null = $state.raw(null)

  say(text: string, action?: ToastAction): void {
    // One that only tells makes room for the next: they take their place from what is being worked on.
    const offers = this.list.filter((toast) => toast.action).slice(-2)
    this.list = [...offers, this.#made(text, action)]
    if (action?.edit !== undefined) this.#bulk = action.bulk === true ? action : null
  }

  /** Says what has come of an edit, in the place of what is said about it; `actionFrom` what that one offers. */
  sayFurther(edit: string, text: string, actionFrom: (offered?: ToastAction) => ToastAction | undefined): void {
    const at = this.list.findIndex(({ action }) => action?.edit === edit)
    const action = actionFrom(this.list[at]?.action)
    if (at < 0) this.say(text, action)
    else this.list = this.list.with(at, this.#made(text, action))
  }

  #made(text: string, action?: ToastAction): Toast {
    const id = this.#next++
    setTimeout(() => (this.#held ? this.#due.push(id) : this.drop(id)), STAYS)
    return action ? { id, text, action } : { id, text }
  }

  /** The way back from what was last done in bulk, once; null: something else was done since. */
  takeBulk(): ToastAction | null {
    const bulk = this.#bulk
    this.#bulk = null
    return bulk
  }

  /** The pointer or the focus is on them, or has left. */
  hold(held: boolean): void {
    this.#held = held
    if (held) return
    for (const id of this.#due.splice(0)) this.drop(id)
  }

  /** Those that offer to undo an edit; null: any one, but not a bulk change, which has a way back when they're sent too. */
  dropAbout(edit: string | null): void {
    const isAbout = ({ edit: about, bulk }: ToastAction) =>
      edit === null ? about !== undefined && bulk !== true : about === edit
    this.list = this.list.filter(({ action }) => !action || !isAbout(action))
  }

  drop(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id)
  }
}
