/** Returns a function that runs `task` at once, or once more after the current run. Its promise resolves when no run is left. */
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
