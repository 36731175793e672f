import type { Attachment } from 'svelte/attachments'

/** True if a file, a link, or formatted content such as a picture is dragged; false for plain text. */
const isForeign = (event: DragEvent): boolean =>
  ['Files', 'text/uri-list', 'text/html'].some((type) => event.dataTransfer?.types.includes(type))

/** True if files are dragged over an element with {@link acceptFileDrop}. */
const isOverFileTarget = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') === true &&
  event.target instanceof Element &&
  event.target.closest('[data-takes-files]') !== null

/** Passes the first file dropped on the element to `onfile`. base.css marks the element while a file is over it. */
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

/** Keeps dropped files and links from replacing the page. Plain text can still be dropped into fields. */
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
