/** Yields the values in slices of this size. Other work of the process can run between two slices. */
export async function* slices<T>(values: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < values.length; from += size) {
    if (from > 0) await new Promise((resolve) => setTimeout(resolve))
    yield values.slice(from, from + size)
  }
}

const FIRST_SLICE = 25
/** Maximum number of items in a slice. Handling that many takes as long as a few frames of the screen. */
const MAX_SLICE = 200

/**
 * Splits a long list whose items are queued slice by slice, so that other work can run in between. The first slice is small, so
 * that its edits are sent soon. Later slices grow, because each one is a commit that syncs the disk.
 */
export function* growingSlices<T>(all: readonly T[]): Generator<readonly T[]> {
  let size = FIRST_SLICE
  for (let from = 0; from < all.length;) {
    yield all.slice(from, from + size)
    from += size
    size = Math.min(size * 2, MAX_SLICE)
  }
}
