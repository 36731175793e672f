/**
 * Returns a function that runs `task` at once. All calls during a run cause a single further run. The promise of each call
 * resolves when no run is left.
 */
export function coalesced(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let again = false
  const run = async (): Promise<void> => {
    do {
      again = false
      await task()
    } while (again)
  }
  return () => {
    if (running) again = true
    else running = run().finally(() => (running = null))
    return running
  }
}
