import type { Bounds } from '../x11/display.ts'
import { primaryDisplay } from './screen.ts'

export type Size = Pick<Bounds, 'width' | 'height'>

/** Electron's size where none is given, in the middle of the screen; never less than `least`. */
export function placed({ width = 800, height = 600, x, y }: Partial<Bounds>, least: Size): Bounds {
  const area = primaryDisplay().workArea
  const size = { width: Math.max(width, least.width), height: Math.max(height, least.height) }
  const middle = (space: number, taken: number): number => Math.max(0, Math.round((space - taken) / 2))
  return { x: x ?? middle(area.width, size.width), y: y ?? middle(area.height, size.height), ...size }
}
