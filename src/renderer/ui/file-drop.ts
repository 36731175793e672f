import type { Attachment } from 'svelte/attachments'

/** True if the event drags a file, a link, or formatted content such as a picture; false for plain text. */
const isForeign = (event: DragEvent): boolean =>
  ['Files', 'text/uri-list', 'text/html'].some((type) => event.dataTransfer?.types.includes(type))

/** True if the event drags files over an element that takes them ({@link acceptFileDrop}). */
const isOverFileTarget = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') === true &&
  event.target instanceof Element &&
  event.target.closest('[data-takes-files]') !== null

/**
 * Returns an attachment that passes the first file that is dropped on an element to `onfile`, instead of opening it in the
 * window. base.css marks the element while a file is over it.
 */
export const acceptFileDrop =
  (onfile: (file: File) => void): Attachment<HTMLElement> =>
  (element) => {
    const mark = (over: boolean): void => void (element.dataset['takesFiles'] = over ? 'over' : '')
    const hold = (event: DragEvent): void => {
      if (!isOverFileTarget(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
      mark(true)
    }
    const leave = (event: DragEvent): void => {
      if (!(event.relatedTarget instanceof Node && element.contains(event.relatedTarget))) mark(false)
    }
    const drop = (event: DragEvent): void => {
      if (!isOverFileTarget(event)) return
      event.preventDefault()
      mark(false)
      const file = event.dataTransfer?.files[0]
      if (file) onfile(file)
    }
    mark(false)
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
 * Keeps a dropped file or link from opening in place of the page, and shows that it cannot be dropped. Plain text can still
 * be dropped into fields.
 */
export function refuseDrops(window: Window): void {
  const refuse = (event: DragEvent): void => {
    if (!isForeign(event) || isOverFileTarget(event)) return
    event.preventDefault()
    event.stopPropagation()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
  }
  window.addEventListener('dragover', refuse, true)
  window.addEventListener('drop', refuse, true)
}
