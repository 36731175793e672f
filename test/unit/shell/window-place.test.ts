import { expect, test } from 'vitest'
import { besideIcon, onScreen, placeSchema, tellsPlaces } from '../../../src/main/shell/window-place.ts'

const left = { x: 0, y: 25, width: 1440, height: 875 }
const right = { x: 1440, y: 0, width: 1920, height: 1080 }
const size = { width: 1000, height: 700 }

test('a window comes back where it was, on the monitor where it was', () => {
  for (const was of [
    { x: 100, y: 100, ...size },
    { x: 2000, y: 200, ...size },
    { x: 1000, y: 100, ...size }, // on both
    { x: -800, y: 60, ...size }, // most of it beside the screen, and still to be taken hold of
  ]) {
    expect(onScreen(was, [left, right])).toEqual(was)
  }
})

test('where its monitor is gone it comes to the middle of the nearest one', () => {
  const wasRight = { x: 2000, y: 200, ...size }
  expect(onScreen(wasRight, [left])).toEqual({ x: 220, y: 113, ...size })
  const wasFarRight = { x: 5000, y: 200, ...size }
  expect(onScreen(wasFarRight, [left, right])).toEqual({ x: 1900, y: 190, ...size })
})

test('what a person couldn’t take hold of is brought back', () => {
  for (const was of [
    { x: 100, y: -600, ...size }, // its title bar above the screen
    { x: 100, y: 895, ...size }, // below
    { x: -950, y: 100, ...size }, // its last corner
  ]) {
    const { x, y } = onScreen(was, [left])
    expect([x, y]).toEqual([220, 113])
  }
})

test('one larger than the monitor that is left fits into it', () => {
  expect(onScreen({ x: 3000, y: 0, width: 1900, height: 1000 }, [left])).toEqual(left)
  expect(onScreen({ x: 0, y: 25, width: 1900, height: 1000 }, [left])).toEqual(left)
})

test('a place that can’t be read is none', () => {
  for (const stored of [null, 'left', {}, { x: 0, y: 0, width: 0, height: 5, maximized: false }, { x: NaN }]) {
    expect(placeSchema.safeParse(stored).success).toBe(false)
  }
})

const bounds = { x: 0, y: 0, width: 1440, height: 900 }
const beside = (icon: { x: number; y: number }, workArea: typeof bounds) =>
  besideIcon({ ...icon, width: 24, height: 24 }, size, [{ bounds, workArea }])

test('a window without a place comes as near to the tray’s icon as the work area lets it', () => {
  const [menuBar, taskbar] = [left, { ...bounds, height: 860 }]
  expect(beside({ x: 700, y: 0 }, menuBar)).toEqual({ x: 212, y: 25, ...size })
  expect(beside({ x: 1200, y: 0 }, menuBar)).toEqual({ x: 440, y: 25, ...size })
  expect(beside({ x: 1300, y: 868 }, taskbar)).toEqual({ x: 440, y: 160, ...size })
  expect(beside({ x: 8, y: 800 }, { ...bounds, x: 48, width: 1392 })).toEqual({ x: 48, y: 200, ...size })
})

test('a place that no panel is at isn’t taken for the icon’s', () => {
  expect(besideIcon({ x: 0, y: 0, width: 0, height: 0 }, size, [{ bounds, workArea: left }])).toBeNull()
  expect(beside({ x: 0, y: 900 }, left)).toBeNull() // macOS, before it knows
  expect(beside({ x: 900, y: 400 }, left)).toBeNull() // in what Windows folds away
})

test('in a session of Wayland alone no place is told, unless Electron is made to take another way', () => {
  const wayland = { XDG_SESSION_TYPE: 'wayland' }
  expect(tellsPlaces('linux', wayland, '')).toBe(false)
  expect(tellsPlaces('linux', { XDG_SESSION_TYPE: 'x11' }, 'wayland')).toBe(false)
  expect(tellsPlaces('linux', wayland, 'x11')).toBe(true)
  expect(tellsPlaces('linux', {}, '')).toBe(true)
  expect(tellsPlaces('win32', wayland, '')).toBe(true)
})
