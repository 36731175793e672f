/**
 * Milliseconds: a window that was closed for so long is let go, with the memory that its page takes. One that is minimised, or
 * hidden with its app, is still the person's: what leads back to it leads to no other.
 */
export const CLOSED_LONG = 10 * 60_000

export interface LetGo {
  closed(): void
  opened(): void
}

/** `mayGo`: asked at the time; where it may not, again after as long. */
export function createLetGo(
  after: (ms: number, call: () => void) => () => void,
  mayGo: () => boolean,
  go: () => void,
): LetGo {
  let cancel = () => {}
  function wait(): void {
    cancel()
    cancel = after(CLOSED_LONG, () => (mayGo() ? go() : wait()))
  }
  return { closed: wait, opened: () => cancel() }
}
