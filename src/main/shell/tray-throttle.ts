import type { TrayView } from './tray-view.ts'

/** Milliseconds from one drawing to another that only brings other words. */
export const BETWEEN_WORDS = 5_000

export interface PacedTray {
  render(view: TrayView): void
  stop(): void
}

/**
 * What is shown already isn't drawn again, and where only words differ, as while changes are being sent, it's drawn once in
 * a while: on Linux a menu that is open closes when it's set anew. Another picture, choice or language is drawn at once.
 */
export function paceTray(
  clock: { monotonic(): number; after(ms: number, call: () => void): () => void },
  first: TrayView,
  draw: (view: TrayView, shown: TrayView) => void,
): PacedTray {
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
      const wait = isSame(choices(view), choices(shown)) ? drawnAt + BETWEEN_WORDS - clock.monotonic() : 0
      if (wait <= 0) drawNow(view)
      else cancel = clock.after(wait, () => drawNow(view))
    },
    stop: () => cancel(),
  }
}

const choices = ({ kind, language, items }: TrayView) => [
  kind,
  language,
  items.map((item) => item && item.enabled && item.does),
]
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
