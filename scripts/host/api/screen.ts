import { runningBrowser } from '../runtime.ts'
import { StrictEmitter } from '../strict.ts'
import type { Bounds } from '../x11/display.ts'

interface ScreenDisplay {
  id: number
  bounds: Bounds
  workArea: Bounds
  size: { width: number; height: number }
  workAreaSize: { width: number; height: number }
  scaleFactor: number
  rotation: number
  internal: boolean
}

/** The X server's first screen, whole. */
export function primaryDisplay(): ScreenDisplay {
  const { width, height } = runningBrowser().display.screen
  const bounds = { x: 0, y: 0, width, height }
  const size = { width, height }
  return { id: 1, bounds, workArea: bounds, size, workAreaSize: size, scaleFactor: 1, rotation: 0, internal: false }
}

export class Screen extends StrictEmitter {
  static override readonly apiName = 'screen'
  static override readonly events = ['display-added', 'display-removed', 'display-metrics-changed']
  #pointer = { x: 0, y: 0 }

  getPrimaryDisplay(): ScreenDisplay {
    return primaryDisplay()
  }

  getAllDisplays(): ScreenDisplay[] {
    return [primaryDisplay()]
  }

  getDisplayMatching(): ScreenDisplay {
    return primaryDisplay()
  }

  getDisplayNearestPoint(): ScreenDisplay {
    return primaryDisplay()
  }

  /** As it was when last asked: the X server answers later. */
  getCursorScreenPoint(): { x: number; y: number } {
    void runningBrowser()
      .display.pointer()
      .then((pointer) => (this.#pointer = pointer))
    return this.#pointer
  }
}
