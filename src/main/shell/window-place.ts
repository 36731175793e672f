import { z } from 'zod'

export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

export type Size = Pick<Bounds, 'width' | 'height'>

/** A monitor whole, and what of it no panel takes. */
export interface Monitor {
  bounds: Bounds
  workArea: Bounds
}

/**
 * Where the window was, in the points of all monitors together, or its size alone; `maximized`: these are then what it goes
 * back to.
 */
export const placeSchema = z.object({
  x: z.int().optional(),
  y: z.int().optional(),
  width: z.int().min(1).max(100_000),
  height: z.int().min(1).max(100_000),
  maximized: z.boolean(),
})
export type WindowPlace = z.infer<typeof placeSchema>

/**
 * Whether the system tells where a window is. On Wayland it's told to be at 0, 0, wherever it is; Electron takes Wayland in its
 * sessions unless it's told otherwise. `ozone`: the switch `ozone-platform`.
 */
export const tellsPlaces = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv, ozone: string): boolean =>
  platform !== 'linux' || (ozone || env['XDG_SESSION_TYPE']) !== 'wayland'

/** The strip by which a person moves a window: as much of it has to be on a monitor as can be taken hold of. */
const STRIP = { height: 32, reachable: { width: 120, height: 16 } }

/**
 * A place on the screen for a window that was at `was`: there, where a monitor still shows enough of it, otherwise in the
 * middle of the nearest one; never larger than that one's work area. `areas`: work areas of the monitors, one at least.
 */
export function onScreen(was: Bounds, areas: readonly Bounds[]): Bounds {
  const strip = { ...was, height: STRIP.height }
  const shown = areas.find((area) => {
    const { width, height } = overlap(strip, area)
    return width >= Math.min(STRIP.reachable.width, was.width) && height >= STRIP.reachable.height
  })
  const area = shown ?? nearest(was, areas)
  const size = { width: Math.min(was.width, area.width), height: Math.min(was.height, area.height) }
  return shown === undefined ? { ...middle(area, size), ...size } : { x: was.x, y: was.y, ...size }
}

/**
 * Where a window of this size is shown before the person has given it a place: as near to the tray's icon as its monitor's work
 * area lets it. Null: nobody knows where the icon is. Linux never tells; macOS not at once, and Windows not where the icon is
 * folded away (https://github.com/electron/electron/issues/35984, https://github.com/electron/electron/issues/17852), so
 * only a place that a panel can be at is taken: on a monitor, beyond its work area.
 */
export function besideIcon(icon: Bounds, size: Size, monitors: readonly Monitor[]): Bounds | null {
  if (icon.width === 0 || icon.height === 0) return null
  const point = middle(icon, { width: 0, height: 0 })
  const monitor = monitors.find(({ bounds }) => contains(bounds, point))
  if (monitor === undefined || contains(monitor.workArea, point)) return null
  const { workArea } = monitor
  const fitting = { width: Math.min(size.width, workArea.width), height: Math.min(size.height, workArea.height) }
  const { x, y } = middle(icon, fitting)
  return {
    x: clamp(x, workArea.x, workArea.x + workArea.width - fitting.width),
    y: clamp(y, workArea.y, workArea.y + workArea.height - fitting.height),
    ...fitting,
  }
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

const contains = (area: Bounds, { x, y }: { x: number; y: number }): boolean =>
  x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height

function overlap(a: Bounds, b: Bounds): { width: number; height: number } {
  return {
    width: Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    height: Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y),
  }
}

const middle = (area: Bounds, { width, height }: { width: number; height: number }): { x: number; y: number } => ({
  x: area.x + Math.round((area.width - width) / 2),
  y: area.y + Math.round((area.height - height) / 2),
})

function nearest(was: Bounds, areas: readonly Bounds[]): Bounds {
  const centre = middle(was, { width: 0, height: 0 })
  const beyond = (at: number, from: number, length: number): number => Math.max(from - at, 0, at - from - length)
  const distance = (area: Bounds): number =>
    Math.hypot(beyond(centre.x, area.x, area.width), beyond(centre.y, area.y, area.height))
  return areas.toSorted((a, b) => distance(a) - distance(b))[0] ?? was
}
