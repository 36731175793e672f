/** Yields the values in slices of this size, and lets other work of the process run between two of them. */
export async function* slices<T>(values: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < values.length; from += size) {
    if (from > 0) await new Promise((resolve) => setTimeout(resolve))
    yield values.slice(from, from + size)
  }
}
