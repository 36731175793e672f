/** Whether what is dragged comes from outside as a thing to open: a file, a link, a picture. */
const isForeign = (event: DragEvent): boolean =>
  ['Files', 'text/uri-list', 'text/html'].some((type) => event.dataTransfer?.types.includes(type))

/**
 * A file or a link that is dropped on a page is opened in its place. Here the pointer says that it can't be dropped, and
 * where it's dropped all the same nothing comes of it; plain text still goes into fields.
 */
export function refuseDrops(window: Window): void {
  const refuse = (event: DragEvent): void => {
    if (!isForeign(event)) return
    event.preventDefault()
    event.stopPropagation()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
  }
  window.addEventListener('dragover', refuse, true)
  window.addEventListener('drop', refuse, true)
}
