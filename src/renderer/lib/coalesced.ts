/** Runs `task` now, or once more after the run that is under way: any number of calls cost at most two runs. */
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
