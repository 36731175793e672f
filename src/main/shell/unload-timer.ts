/**
 * Milliseconds until a closed window's page is unloaded to free memory. The pages of minimized windows, and of windows hidden
 * with the app on macOS, stay loaded.
 */
export const UNLOAD_AFTER = 10 * 60_000

/** If `canUnload` returns false when the time is up, the timer starts again. */
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
