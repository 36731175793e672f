import type { TrayView } from './tray-view.ts'

/** Milliseconds between two updates that only change texts. */
export const TEXT_INTERVAL = 5_000

/** The tray, which is redrawn at intervals while only its texts change. */
export interface ThrottledTray {
  render(view: TrayView): void
  stop(): void
}

/**
 * Returns a tray that is redrawn at intervals if only texts change, as while edits are sent: on Linux an open menu closes when
 * it is replaced. `draw`: draws a view in place of the one shown.
 */
export function throttleTray(
  clock: { monotonic(): number; after(ms: number, call: () => void): () => void },
  first: TrayView,
  draw: (view: TrayView, shown: TrayView) => void,
): ThrottledTray {
  let shown = first
  let drawnAt = -Infinity
  let cancel = () => {}

  function drawNow(view: TrayView): void {
    drawnAt = clock.monotonic()
    draw(view, shown)
    shown = view
  }

  return {
    render(view) {
      cancel()
      if (isSame(view, shown)) return
      const wait = isSame(partsDrawnAtOnce(view), partsDrawnAtOnce(shown))
        ? drawnAt + TEXT_INTERVAL - clock.monotonic()
        : 0
      if (wait <= 0) drawNow(view)
      else cancel = clock.after(wait, () => drawNow(view))
    },
    stop: () => cancel(),
  }
}

/** A change of these parts is drawn at once. */
const partsDrawnAtOnce = ({ kind, language, count, items }: TrayView) => [
  kind,
  language,
  count,
  items.map((item) => item && item.enabled && item.does),
]
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
