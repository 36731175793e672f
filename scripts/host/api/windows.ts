import type { BrowserWindow } from './browser-window.ts'

/** Every window that isn't closed, in the order of their making. */
export const windows = new Set<BrowserWindow>()
