/** Yields the values in slices of this size, and lets other work of the process run between two of them. */
export async function* slices<T>(values: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < values.length; from += size) {
    if (from > 0) await new Promise((resolve) => setTimeout(resolve))
    yield values.slice(from, from + size)
  }
}

/** Number of items in the first slice, which takes a few milliseconds. */
const FIRST_SLICE = 25
/** Maximum number of items in a slice. Handling that many takes as long as a few frames of the screen. */
const MAX_SLICE = 200

/**
 * Splits a long list whose items are queued slice by slice, so that other work runs in between. The first slice is small, so that its
 * edits are sent soon. The slices grow, because each is a commit for which the disk is synced.
 */
export function* growingSlices<T>(all: readonly T[]): Generator<readonly T[]> {
  let size = FIRST_SLICE
  for (let from = 0; from < all.length;) {
    yield all.slice(from, from + size)
    from += size
    size = Math.min(size * 2, MAX_SLICE)
  }
}
