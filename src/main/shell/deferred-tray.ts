import type { Rectangle } from 'electron'
import type { Clock } from '../outbox/ports.ts'
import type { Panels, TrayHost } from './tray-host.ts'
import type { TrayIcon } from './tray.ts'
import type { TrayView } from './tray-view.ts'

/** Milliseconds from one question for a panel to the next, and how often one is asked for at most: sessions start slowly. */
const BETWEEN = 1_000
const QUESTIONS = 15

const nowhere: Rectangle = { x: 0, y: 0, width: 0, height: 0 }

export interface LateTray extends TrayIcon {
  /** Whether a panel shows our icon just now; null: it can't be told. */
  isShown: TrayHost
}

export interface LateTrayParts {
  panels: Panels
  after: Clock['after']
  first: TrayView
  make: (first: TrayView) => TrayIcon
}

/**
 * A tray that is made once a panel is there (tray-quirks.ts), or nothing tells whether one is: at once where that was
 * answered already. Where none comes it's made nevertheless, for panels of the older way, and taken for not shown from then on.
 */
export function createLateTray({ panels, after, first, make }: LateTrayParts): LateTray {
  let newest = first
  let icon: TrayIcon | null = null
  let isLost = false
  let cancel = () => {}
  let stopped = false

  async function look(questions: number): Promise<void> {
    const isAbsent = (await panels.ask()) === false
    if (stopped) return
    if (isAbsent && questions > 1) return void (cancel = after(BETWEEN, () => void look(questions - 1)))
    isLost = isAbsent
    icon = make(newest)
  }
  if (panels.answer() === true || panels.answer() === null) icon = make(first)
  else void look(QUESTIONS)

  return {
    render(view) {
      newest = view
      icon?.render(view)
    },
    bounds: () => icon?.bounds() ?? nowhere,
    isShown: async () => (isLost ? false : panels.ask()),
    stop() {
      stopped = true
      cancel()
      icon?.stop()
    },
  }
}
