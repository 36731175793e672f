import { subscribe } from 'node:diagnostics_channel'
import type { ConnectionStore } from '../../../src/main/storage/store.ts'
import type { Orders, Step } from '../protocol.ts'

/** Called when the process has reached a step at which it may be killed. */
export type Meet = (step: Step) => void

/** Returns a function that kills this process when it is called with the step of `kill` for the `nth` time. */
export function meetIn({ kill }: Orders): Meet {
  let met = 0
  return (step) => {
    if (step !== kill?.step) return
    met += 1
    if (met === kill.nth) process.kill(process.pid, 'SIGKILL')
  }
}

/**
 * Wraps a store so that it calls `meet` before and after each commit. The steps depend on what the transaction does: one that
 * stores the result of an edit may also mark the next edit as sending.
 * `isCommandRunning`: true while a command of the user runs.
 * `sendingLate`: switches on the deliberate bug of that name.
 */
export function withKillPoints(
  store: ConnectionStore,
  meet: Meet,
  { isCommandRunning, sendingLate }: { isCommandRunning: () => boolean; sendingLate: boolean },
): ConnectionStore {
  const doing = new Set<'enqueue' | 'sending' | 'acknowledge' | 'settled'>()
  const meetIf = (done: boolean, how: 'uncommitted' | 'committed'): void => {
    if (done) for (const step of doing) meet(`${step}-${how}`)
  }
  const acknowledging = (website: string): void => {
    const wasInDoubt = store.editsOf(website).some(({ standing }) => standing.state === 'inDoubt')
    doing.add(wasInDoubt ? 'settled' : 'acknowledge')
  }

  return {
    ...store,
    write(work) {
      doing.clear()
      if (isCommandRunning()) doing.add('enqueue')
      const written = store.write(() => {
        const result = work()
        meetIf(result.ok, 'uncommitted')
        return result
      })
      meetIf(written.ok, 'committed')
      return written
    },
    saveEdit(edit) {
      if (edit.standing.state === 'sending') {
        doing.add('sending')
        if (sendingLate) return
      } else if (edit.standing.state === 'queued' && store.edit(edit.id)?.standing.state === 'inDoubt')
        doing.add('settled')
      store.saveEdit(edit)
    },
    acknowledge(website, record) {
      acknowledging(website)
      store.acknowledge(website, record)
    },
    acknowledgeDelete(website) {
      acknowledging(website)
      store.acknowledgeDelete(website)
    },
  }
}

/** Calls `meet` at the steps of a write that is sent. undici's diagnostics channels report these steps. */
export function meetOnTheWire(meet: Meet): void {
  const meetAt = (channel: string, step: Step): void =>
    subscribe(`undici:${channel}`, (message) => {
      if ((message as { request: { method: string } }).request.method !== 'GET') meet(step)
    })
  // The connection is open, and no byte has been sent over it yet.
  meetAt('client:sendHeaders', 'before-first-byte')
  meetAt('request:headers', 'answer-begun')
  meetAt('request:trailers', 'answer-read')
}
