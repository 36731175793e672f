/** The open dialogs. A `$state` would be stale when two of them close in one turn. */
let open: readonly HTMLDialogElement[] = []
let top: HTMLDialogElement | undefined = $state.raw()

/** The open dialog that covers everything else, if there is one. */
export const topModal = (): HTMLDialogElement | undefined => top

/** Makes a dialog that was just opened the topmost one. Returns a function that ends this when it is closed. */
export function makeTopmost(dialog: HTMLDialogElement): () => void {
  open = [...open, dialog]
  top = dialog
  return () => {
    open = open.filter((one) => one !== dialog)
    top = open.at(-1)
  }
}
