/** Functions that a benchmark runs in the page of the app or of the bare table. Each is copied alone, so it can't call another. */

/** An event of the user, and what the page shows once the event has taken effect. */
export interface Wanted {
  /** Name of the DOM event: `keydown` or `click`. */
  event: string
  /** Selector of an element that the page shows once the event has taken effect. */
  shown: string
  /** Selector of cells in the element `shown`. All of them must contain `text`. */
  cells?: string
  text?: string
}

interface Watching {
  /** Stops the count of {@link countFrames}. */
  stopCount?: () => number
  /** Milliseconds from the event until the change has been painted. */
  painted?: Promise<number>
}

/** Starts to measure an event and its effect. Call it before the event, and then {@link painted}. */
export function watch({ event, shown, cells, text = '' }: Wanted): void {
  const isThere = (): boolean => {
    const element = document.querySelector(shown)
    if (element === null || cells === undefined) return element !== null
    const found = [...element.querySelectorAll(cells)]
    const rows = Number(element.getAttribute('aria-rowcount')) - 1
    return found.length >= Math.min(rows, 10) && found.every(({ textContent }) => textContent.includes(text))
  }
  ;(globalThis as Watching).painted = new Promise((resolve) => {
    document.addEventListener(
      event,
      ({ timeStamp }) => {
        const look = () => {
          if (!isThere()) return void requestAnimationFrame(look)
          // This message is handled after the frame has been painted.
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.now() - timeStamp)
          port2.postMessage(null)
        }
        requestAnimationFrame(look)
      },
      { once: true, capture: true },
    )
  })
}

/** Resolves with the milliseconds from the event until the change was painted. Undefined if {@link watch} was not called. */
export const painted = (): Promise<number> | undefined => (globalThis as Watching).painted

/** Starts to count the frames, at 60 a second, that are not drawn. */
export function countFrames(): void {
  let dropped = 0
  let before = performance.now()
  let frame = requestAnimationFrame(function next(now) {
    dropped += Math.max(0, Math.round(((now - before) * 60) / 1000) - 1)
    before = now
    frame = requestAnimationFrame(next)
  })
  ;(globalThis as Watching).stopCount = () => (cancelAnimationFrame(frame), dropped)
}

/** Returns the number of frames that were not drawn since {@link countFrames}. */
export const droppedFrames = (): number | undefined => (globalThis as Watching).stopCount?.()

export interface Scrolled {
  /** Number of frames, at 60 a second, that were not drawn. */
  dropped: number
  /** Number of frames in which the middle of the list showed no row. */
  blank: number
}

/** Scrolls down from the first row at constant speed. `duration` is in milliseconds, `share` the part of the list, up to 1. */
export async function scrollThrough({ duration, share }: { duration: number; share: number }): Promise<Scrolled> {
  let scroller = document.querySelector('[role=grid]')
  while (scroller && scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement
  if (!scroller) throw new Error('nothing scrolls')
  const box = scroller.getBoundingClientRect()
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
  const isBlank = (): boolean =>
    !document.elementFromPoint(x, y)?.closest('[role=row]')?.querySelector('[role=gridcell]')?.textContent
  const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
  const afterPaint = (): Promise<void> =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve()
      port2.postMessage(null)
    })

  scroller.scrollTop = 0
  await new Promise((resolve) => setTimeout(resolve, 500))
  const way = share * (scroller.scrollHeight - scroller.clientHeight)
  const begun = await frame()
  const counts = { dropped: 0, blank: 0 }
  for (let before = begun; ;) {
    // Scrolls before the next frame begins, as a mouse wheel does. The page gets the scroll event within that frame.
    scroller.scrollTop = ((performance.now() - begun) / duration) * way
    const now = await frame()
    if (now - begun > duration) return counts
    counts.dropped += Math.max(0, Math.round(((now - before) * 60) / 1000) - 1)
    before = now
    await afterPaint()
    if (isBlank()) counts.blank += 1
  }
}
