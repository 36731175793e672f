import { z } from 'zod'

/** A rectangle in the coordinates of all monitors. */
export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

export type Size = Pick<Bounds, 'width' | 'height'>

/** `workArea`: the part that no panel covers. */
export interface Monitor {
  bounds: Bounds
  workArea: Bounds
}

/** Position, if known, and size, in the coordinates of all monitors. If `maximized`, these are the bounds to restore. */
export const placeSchema = z.object({
  x: z.int().optional(),
  y: z.int().optional(),
  width: z.int().min(1).max(100_000),
  height: z.int().min(1).max(100_000),
  maximized: z.boolean(),
})
export type WindowPlace = z.infer<typeof placeSchema>

/** Wayland reports 0, 0 for every window. Electron uses it in Wayland sessions, unless `ozone-platform` says otherwise. */
export const reportsPosition = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv, ozone: string): boolean =>
  platform !== 'linux' || (ozone || env['XDG_SESSION_TYPE']) !== 'wayland'

/** The height of the title bar, and how much of it must be on a monitor for the user to move the window. */
const TITLE_BAR = { height: 32, reachable: { width: 120, height: 16 } }

/**
 * Keeps the position if enough of the window is on a monitor, otherwise centers the window on the nearest one. The size never
 * exceeds the work area. `areas`: one or more work areas.
 */
export function boundsOnScreen(was: Bounds, areas: readonly Bounds[]): Bounds {
  const strip = { ...was, height: TITLE_BAR.height }
  const shown = areas.find((area) => {
    const { width, height } = overlap(strip, area)
    return width >= Math.min(TITLE_BAR.reachable.width, was.width) && height >= TITLE_BAR.reachable.height
  })
  const area = shown ?? nearest(was, areas)
  const size = { width: Math.min(was.width, area.width), height: Math.min(was.height, area.height) }
  return shown === undefined ? { ...centered(area, size), ...size } : { x: was.x, y: was.y, ...size }
}

/**
 * Places the first window next to the tray icon. Null if the icon's position is unknown: Linux never reports it, macOS not at
 * once, and Windows not for hidden icons (https://github.com/electron/electron/issues/35984,
 * https://github.com/electron/electron/issues/17852). A position counts only where a panel can be: on a monitor, outside its work
 * area.
 */
export function boundsBesideIcon(icon: Bounds, size: Size, monitors: readonly Monitor[]): Bounds | null {
  if (icon.width === 0 || icon.height === 0) return null
  const point = centered(icon, { width: 0, height: 0 })
  const monitor = monitors.find(({ bounds }) => contains(bounds, point))
  if (monitor === undefined || contains(monitor.workArea, point)) return null
  const { workArea } = monitor
  const fitting = { width: Math.min(size.width, workArea.width), height: Math.min(size.height, workArea.height) }
  const { x, y } = centered(icon, fitting)
  return {
    x: clamp(x, workArea.x, workArea.x + workArea.width - fitting.width),
    y: clamp(y, workArea.y, workArea.y + workArea.height - fitting.height),
    ...fitting,
  }
}

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max)

const contains = (area: Bounds, { x, y }: { x: number; y: number }): boolean =>
  x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height

/** A side is negative if the rectangles are apart in that direction. */
function overlap(a: Bounds, b: Bounds): { width: number; height: number } {
  return {
    width: Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    height: Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y),
  }
}

/** Returns the top left corner of a rectangle that is centered in an area. */
const centered = (area: Bounds, { width, height }: { width: number; height: number }): { x: number; y: number } => ({
  x: area.x + Math.round((area.width - width) / 2),
  y: area.y + Math.round((area.height - height) / 2),
})

/** Nearest to the middle of `was`. */
function nearest(was: Bounds, areas: readonly Bounds[]): Bounds {
  const center = centered(was, { width: 0, height: 0 })
  const beyond = (at: number, from: number, length: number): number => Math.max(from - at, 0, at - from - length)
  const distance = (area: Bounds): number =>
    Math.hypot(beyond(center.x, area.x, area.width), beyond(center.y, area.y, area.height))
  return areas.toSorted((a, b) => distance(a) - distance(b))[0] ?? was
}
