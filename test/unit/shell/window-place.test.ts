import { expect, test } from 'vitest'
import { boundsBesideIcon, boundsOnScreen, placeSchema, reportsPosition } from '../../../src/main/shell/window-place.ts'

/** The parts of the two monitors that windows can use. */
const left = { x: 0, y: 25, width: 1440, height: 875 }
const right = { x: 1440, y: 0, width: 1920, height: 1080 }
const size = { width: 1000, height: 700 }

test('restores the window’s position on its monitor', () => {
  for (const was of [
    { x: 100, y: 100, ...size },
    { x: 2000, y: 200, ...size },
    { x: 1000, y: 100, ...size }, // on both monitors
    { x: -800, y: 60, ...size }, // mostly off screen, but within reach
  ]) {
    expect(boundsOnScreen(was, [left, right])).toEqual(was)
  }
})

test('centers the window on the nearest monitor if its own is gone', () => {
  const wasRight = { x: 2000, y: 200, ...size }
  expect(boundsOnScreen(wasRight, [left])).toEqual({ x: 220, y: 113, ...size })
  const wasFarRight = { x: 5000, y: 200, ...size }
  expect(boundsOnScreen(wasFarRight, [left, right])).toEqual({ x: 1900, y: 190, ...size })
})

test('brings a window back whose title bar is out of reach', () => {
  for (const was of [
    { x: 100, y: -600, ...size }, // title bar above the screen
    { x: 100, y: 895, ...size }, // below the screen
    { x: -950, y: 100, ...size }, // only a corner on screen
  ]) {
    const { x, y } = boundsOnScreen(was, [left])
    expect([x, y]).toEqual([220, 113])
  }
})

test('shrinks the window to a smaller monitor', () => {
  expect(boundsOnScreen({ x: 3000, y: 0, width: 1900, height: 1000 }, [left])).toEqual(left)
  expect(boundsOnScreen({ x: 0, y: 25, width: 1900, height: 1000 }, [left])).toEqual(left)
})

test('ignores a malformed place', () => {
  for (const stored of [null, 'left', {}, { x: 0, y: 0, width: 0, height: 5, maximized: false }, { x: NaN }]) {
    expect(placeSchema.safeParse(stored).success).toBe(false)
  }
})

const bounds = { x: 0, y: 0, width: 1440, height: 900 }
/** Returns the bounds of a window beside a tray icon. `workArea`: the part of the screen that windows can use. */
const beside = (icon: { x: number; y: number }, workArea: typeof bounds) =>
  boundsBesideIcon({ ...icon, width: 24, height: 24 }, size, [{ bounds, workArea }])

test('opens a window that has no stored place next to the tray icon', () => {
  const [menuBar, taskbar] = [left, { ...bounds, height: 860 }]
  expect(beside({ x: 700, y: 0 }, menuBar)).toEqual({ x: 212, y: 25, ...size })
  expect(beside({ x: 1200, y: 0 }, menuBar)).toEqual({ x: 440, y: 25, ...size })
  expect(beside({ x: 1300, y: 868 }, taskbar)).toEqual({ x: 440, y: 160, ...size })
  expect(beside({ x: 8, y: 800 }, { ...bounds, x: 48, width: 1392 })).toEqual({ x: 48, y: 200, ...size })
})

test('ignores icon positions where no panel can be', () => {
  expect(boundsBesideIcon({ x: 0, y: 0, width: 0, height: 0 }, size, [{ bounds, workArea: left }])).toBeNull()
  expect(beside({ x: 0, y: 900 }, left)).toBeNull() // macOS reports this at first
  expect(beside({ x: 900, y: 400 }, left)).toBeNull() // Windows reports this for hidden icons
})

test('the position of a window is unknown only if Electron uses Wayland', () => {
  const wayland = { XDG_SESSION_TYPE: 'wayland' }
  expect(reportsPosition('linux', wayland, '')).toBe(false)
  expect(reportsPosition('linux', { XDG_SESSION_TYPE: 'x11' }, 'wayland')).toBe(false)
  expect(reportsPosition('linux', wayland, 'x11')).toBe(true)
  expect(reportsPosition('linux', {}, '')).toBe(true)
  expect(reportsPosition('win32', wayland, '')).toBe(true)
})
