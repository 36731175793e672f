import { fullErrorText } from '../../messages/errors.ts'
import type { BulkChange } from '../../shared/bulk-change.ts'
import { canRetryUndo } from '../../shared/bulk.ts'
import type { AppError } from '../../shared/result.ts'

/** A short message at the edge of the window. */
export interface Toast {
  readonly id: number
  readonly text: string
  /** The time at which the toast was shown, in milliseconds since the page was loaded. */
  readonly at: number
  readonly action?: ToastAction
  readonly details?: readonly ToastDetail[]
}

/** A reason in a toast with the domains that it applies to. */
export interface ToastDetail {
  readonly text: string
  readonly domains: readonly string[]
}

/** The button of a toast. */
export interface ToastAction {
  readonly label: string
  readonly run: () => Promise<void>
  /**
   * The id of the edit or bulk change that the action undoes. The toast is removed when that is undone, or when the user sends or
   * discards the edit.
   */
  readonly edit?: string
  /** True if the action undoes a bulk change, which stays possible after the toast has gone. */
  readonly bulk?: boolean
  /** The ids or names of the restored object, before and after the change. If it changes again, the toast is removed. */
  readonly objects?: readonly string[]
  /** True if the action doesn't depend on the account. Its toast stays when another account is shown. */
  readonly shared?: boolean
}

/** The progress of a long operation, shown among the toasts. */
export interface Progress {
  readonly text: string
  readonly done: number
  readonly total: number
  readonly stop?: () => void
}

/** Asks, during the undo of a bulk change, whether its sent creates are deleted, or its sent deletes created again. */
export interface BulkUndoQuestion {
  readonly kind: 'create' | 'delete'
  readonly count: number
  /** The domains of the first of these websites; '' for a domain that isn't known. */
  readonly domains: readonly string[]
  /** The name of the account, if it isn't the one shown. */
  readonly account?: string
  readonly answer: (agreed: boolean) => Promise<void>
  /** Closes the question without an answer. The bulk change can still be undone on the Pending screen. */
  readonly close: () => void
}

const SHOWN_FOR = 10_000 // milliseconds, as long as a delete waits before it's sent

/** The toasts of the window. They don't disappear while the pointer or the focus is on one, or a dialog is open. */
export class Toasts {
  #next = 1
  /** True while no toast may disappear: the pointer or the focus is on one, or a dialog is open. */
  #held = false
  /** The ids of the toasts whose time has run out while `#held` was true. */
  #due: number[] = []
  readonly #timers: Partial<Record<number, ReturnType<typeof setTimeout>>> = {}
  /** Returns the place of the newest save of a website among all saves. */
  readonly #lastOrder: () => number
  /** The bulk changes and the changes of local data that Ctrl+Z can undo, the latest last. `order`: the place among all saves. */
  #undos: readonly { readonly action: ToastAction; readonly order: number }[] = []
  /** Number of times that another account was shown. */
  #resets = 0
  list: Toast[] = $state.raw([])
  progress: Progress | null = $state.raw(null)
  question: BulkUndoQuestion | null = $state.raw(null)
  /** The id of the bulk change that is being undone, until the user has answered its question. Otherwise null. */
  undoing: string | null = null

  constructor(lastOrder: () => number) {
    this.#lastOrder = lastOrder
  }

  /** Shows a toast. Of the earlier toasts, only the last two that have an action or details stay. */
  show(text: string, action?: ToastAction, details: readonly ToastDetail[] = []): void {
    // Any other toast is replaced by the next one, because toasts take space from the screen.
    // The same toast is renewed, so that pressing a shortcut again doesn't stack copies.
    const isSame = (shown: Toast) =>
      shown.text === text && shown.action?.label === action?.label && shown.action?.edit === action?.edit
    const offers = this.list.filter((shown) => (shown.action ?? shown.details) && !isSame(shown)).slice(-2)
    const toast = this.#made(text, action)
    this.list = [...offers, details.length > 0 ? { ...toast, details } : toast]
  }

  /**
   * Shows a toast about a change of local data, with a button that undoes it. Ctrl+Z undoes such changes too, one by one. A toast
   * about an earlier change of the same object is removed, because its button would also revert this one. `undo` returns the error
   * that has stopped it, or null. After a temporary error, the undo is offered again and keeps its place.
   */
  showUndo(
    text: string,
    label: string,
    undo: () => Promise<AppError | null>,
    options: Pick<ToastAction, 'objects' | 'shared'> = {},
  ): void {
    const run = async (): Promise<void> => {
      this.#undos = this.#undos.filter((one) => one !== kept)
      this.list = this.list.filter((toast) => toast.action !== action)
      const resets = this.#resets
      const error = await undo()
      if (error === null) return
      if (!canRetryUndo(error) || (resets !== this.#resets && !action.shared)) return this.show(fullErrorText(error))
      this.#undos = [...this.#undos, kept].sort((a, b) => a.order - b.order)
      this.#showUndo(fullErrorText(error), action)
    }
    const action: ToastAction = { label, run, ...options }
    this.#showUndo(text, action)
    const kept = this.keepUndo(action)
  }

  #showUndo(text: string, action: ToastAction): void {
    const isEarlier = ({ objects = [] }: ToastAction) => objects.some((one) => action.objects?.includes(one))
    // A toast with an equal text stays, because its button undoes another change.
    const others = this.list.filter(({ action, details }) => (action ? !isEarlier(action) : details)).slice(-2)
    this.list = [...others, this.#made(text, action)]
  }

  /** Lets Ctrl+Z run this action, also after its toast has gone. */
  keepUndo(action: ToastAction): { readonly action: ToastAction; readonly order: number } {
    // The places are times unless the clock was set back. So a change of data that all accounts share has a place in each account.
    const kept = { action, order: Math.max(Date.now(), this.#lastOrder()) }
    this.#undos = [...this.#undos, kept]
    return kept
  }

  /**
   * Replaces the toast about an edit or bulk change, or shows a new one. `actionFrom` derives its action from the replaced one.
   */
  update(edit: string, text: string, actionFrom: (offered?: ToastAction) => ToastAction | undefined): void {
    const at = this.list.findIndex(({ action }) => action?.edit === edit)
    const action = actionFrom(this.list[at]?.action)
    if (at < 0) this.show(text, action)
    else this.list = this.list.with(at, this.#made(text, action))
  }

  /** Returns a new toast and starts its timer. */
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

  /** Restarts the time of these toasts, because a dialog has covered them. */
  renew(toasts: readonly Toast[]): void {
    for (const { id } of toasts) {
      this.#due = this.#due.filter((one) => one !== id)
      this.#dropLater(id)
    }
  }

  /** Removes and returns the latest undo, or undefined if there is none, or if the last save, with the place `order`, is later. */
  takeUndo(order: number): ToastAction | undefined {
    const last = this.#undos.at(-1)
    if (last === undefined || last.order < order) return undefined
    this.#undos = this.#undos.slice(0, -1)
    return last.action
  }

  /**
   * Places the undo of this bulk change after its saves. The places of many saves in a row run ahead of the clock, and main answers
   * before it sends the state with them.
   */
  placeUndo({ id, order }: Pick<BulkChange, 'id' | 'order'>): void {
    this.#undos = this.#undos.map((kept) =>
      kept.action.edit === id ? { ...kept, order: Math.max(kept.order, order) } : kept,
    )
  }

  /** Forgets the undo of this bulk change, because the bulk change has been undone. */
  forgetUndo(bulkChange: string): void {
    this.#undos = this.#undos.filter(({ action }) => action.edit !== bulkChange)
  }

  /** Forgets the undos of local data, whose former values must not replace those of an imported file, and removes their toasts. */
  forgetLocalUndos(): void {
    const isBulk = ({ action }: { readonly action: ToastAction }) => action.bulk === true
    const local = this.#undos.filter((one) => !isBulk(one)).map(({ action }) => action)
    this.#undos = this.#undos.filter(isBulk)
    this.list = this.list.filter(({ action }) => !action || !local.includes(action))
  }

  /** Keeps all toasts while `held` is true. False removes the toasts whose time has run out. */
  hold(held: boolean): void {
    this.#held = held
    if (held) return
    for (const id of this.#due.splice(0)) this.drop(id)
  }

  /**
   * Removes the toasts that undo this edit or bulk change. Null: all that undo an edit, but not a bulk change, which stays
   * undoable.
   */
  dropAbout(edit: string | null): void {
    const isAbout = ({ edit: about, bulk }: ToastAction) =>
      edit === null ? about !== undefined && bulk !== true : about === edit
    this.list = this.list.filter(({ action }) => !action || !isAbout(action))
  }

  /**
   * Removes what applies to the former account: the question, and toasts with an action. The undo of data that all accounts share
   * stays.
   */
  reset(): void {
    this.#resets++
    this.#undos = this.#undos.filter(({ action }) => action.shared)
    this.question = this.undoing = null
    this.list = this.list.filter(({ action }) => !action || action.shared === true)
  }

  drop(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id)
  }
}
