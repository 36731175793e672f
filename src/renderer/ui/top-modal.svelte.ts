/** The open dialogs. Not a `$state`, which would be outdated when two dialogs close in the same update. */
let open: readonly HTMLDialogElement[] = []
let top: HTMLDialogElement | undefined = $state.raw()

/** The topmost open dialog, if there is one. */
export const topModal = (): HTMLDialogElement | undefined => top

/** Makes an opened dialog the topmost one. The returned function must be called when it closes. */
export function makeTopmost(dialog: HTMLDialogElement): () => void {
  open = [...open, dialog]
  top = dialog
  return () => {
    open = open.filter((one) => one !== dialog)
    top = open.at(-1)
  }
}
