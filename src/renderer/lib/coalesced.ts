/**
 * Returns a function that runs `task` at once. Any number of calls during a run cause one further run after it. The promise of
 * each call resolves when no further run is due.
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
