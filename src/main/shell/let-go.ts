/** Milliseconds: a window that was hidden for so long is let go, with the memory that its page takes. */
export const HIDDEN_LONG = 10 * 60_000

export interface LetGo {
  hidden(): void
  shown(): void
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
    cancel = after(HIDDEN_LONG, () => (mayGo() ? go() : wait()))
  }
  return { hidden: wait, shown: () => cancel() }
}
