import type { Attachment } from 'svelte/attachments'

/** Whether what is dragged comes from outside as a thing to open: a file, a link, a picture. */
const isForeign = (event: DragEvent): boolean =>
  ['Files', 'text/uri-list', 'text/html'].some((type) => event.dataTransfer?.types.includes(type))

/** Over what reads a file that is dropped on it ({@link takesFiles}). */
const isWelcome = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') === true &&
  event.target instanceof Element &&
  event.target.closest('[data-takes-files]') !== null

/** Has a file that is dropped on an element read instead of opened; `onover` is told whether one is held over it. */
export const takesFiles =
  (onfile: (file: File) => void, onover: (over: boolean) => void): Attachment<HTMLElement> =>
  (element) => {
    const hold = (event: DragEvent): void => {
      if (!isWelcome(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
      onover(true)
    }
    const leave = (event: DragEvent): void => {
      if (!(event.relatedTarget instanceof Node && element.contains(event.relatedTarget))) onover(false)
    }
    const drop = (event: DragEvent): void => {
      if (!isWelcome(event)) return
      event.preventDefault()
      onover(false)
      const file = event.dataTransfer?.files[0]
      if (file) onfile(file)
    }
    element.dataset['takesFiles'] = ''
    element.addEventListener('dragover', hold)
    element.addEventListener('dragleave', leave)
    element.addEventListener('drop', drop)
    return () => {
      element.removeEventListener('dragover', hold)
      element.removeEventListener('dragleave', leave)
      element.removeEventListener('drop', drop)
    }
  }

/**
 * A file or a link that is dropped on a page is opened in its place. Here the pointer says that it can't be dropped, and
 * where it's dropped all the same nothing comes of it; plain text still goes into fields.
 */
export function refuseDrops(window: Window): void {
  const refuse = (event: DragEvent): void => {
    if (!isForeign(event) || isWelcome(event)) return
    event.preventDefault()
    event.stopPropagation()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
  }
  window.addEventListener('dragover', refuse, true)
  window.addEventListener('drop', refuse, true)
}
