/**
 * Milliseconds after which the page of a closed window is unloaded to free its memory. Minimised windows, and those hidden
 * with the app on macOS, stay loaded.
 */
export const UNLOAD_AFTER = 10 * 60_000

/**
 * Calls `unload` after {@link UNLOAD_AFTER}, if the window was closed and not opened again. `canUnload` is checked when the time
 * is up; if it returns false, the timer starts again.
 */
export function createUnloadTimer(
  after: (ms: number, call: () => void) => () => void,
  canUnload: () => boolean,
  unload: () => void,
) {
  let cancel = () => {}
  function restart(): void {
    cancel()
    cancel = after(UNLOAD_AFTER, () => (canUnload() ? unload() : restart()))
  }
  return { closed: restart, opened: () => cancel() }
}
