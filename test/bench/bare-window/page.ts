/** Runs in the page of the app or of the bare window: both show a `grid` of rows whose first cell has the domain. */

/** The change that a keystroke should cause. */
export interface Wanted {
  /** A text in the domain of each row that is drawn. */
  text: string
  /** The number of rows afterwards, drawn or not. */
  rows: number
}

interface Watching {
  /** Milliseconds from the key's event until the rows have been painted. */
  painted?: Promise<number>
}

/** Starts to watch for the change. Call it before the key is pressed, and then {@link painted}. */
export function watch({ text, rows }: Wanted): void {
  const isThere = (): boolean => {
    const grid = document.querySelector(`[role=grid][aria-rowcount="${String(rows + 1)}"]`)
    const cells = [...(grid?.querySelectorAll('[role=gridcell]:first-child') ?? [])]
    return cells.length >= Math.min(rows, 10) && cells.every(({ textContent }) => textContent.includes(text))
  }
  ;(globalThis as Watching).painted = new Promise((resolve) => {
    document.addEventListener(
      'keydown',
      ({ timeStamp }) => {
        const look = () => {
          if (!isThere()) return void requestAnimationFrame(look)
          // A task behind this frame's: it has been painted.
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

export const painted = (): Promise<number> | undefined => (globalThis as Watching).painted

export interface Scrolled {
  /** Frames of 1/60 s that came too late to be seen. */
  dropped: number
  /** Number of frames with an empty row in the middle. */
  blank: number
  frames: number
}

/** Scrolls from the first row to the last one at constant speed, in this many milliseconds. */
export async function scrollThrough(duration: number): Promise<Scrolled> {
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
  const whole = scroller.scrollHeight - scroller.clientHeight
  const begun = await frame()
  const counts = { dropped: 0, blank: 0, frames: 0 }
  for (let before = begun; ;) {
    // Scrolls before the next frame begins, as a wheel does: the page gets the event within that frame.
    scroller.scrollTop = ((performance.now() - begun) / duration) * whole
    const now = await frame()
    if (now - begun > duration) return counts
    counts.frames += 1
    counts.dropped += Math.max(0, Math.round(((now - before) * 60) / 1000) - 1)
    before = now
    await afterPaint()
    if (isBlank()) counts.blank += 1
  }
}
