import { subscribe } from 'node:diagnostics_channel'
import type { ConnectionStore } from '../../../src/main/storage/store.ts'
import type { Orders, Step } from '../protocol.ts'

/** Reports that the process has reached a step. */
export type Meet = (step: Step) => void

/** Returns a function to call at each step. It kills this process when the step of the orders is reached for the nth time. */
export function meetIn({ kill }: Orders): Meet {
  let met = 0
  return (step) => {
    if (step !== kill?.step) return
    met += 1
    if (met === kill.nth) process.kill(process.pid, 'SIGKILL')
  }
}

/**
 * Wraps a store so that it calls `meet` before and after each commit, with steps that depend on what the transaction does: an
 * acknowledgement may also mark the next edit as sending. `isCommandRunning` is true while a command of the user is running.
 * `sendingLate` enables the known weakness of that name.
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

/** Calls `meet` at the steps of a write on the network, which undici's diagnostics channels report. */
export function meetOnTheWire(meet: Meet): void {
  const meetAt = (channel: string, step: Step): void =>
    subscribe(`undici:${channel}`, (message) => {
      if ((message as { request: { method: string } }).request.method !== 'GET') meet(step)
    })
  // A connection is open, and nothing has been sent over it yet.
  meetAt('client:sendHeaders', 'before-first-byte')
  meetAt('request:headers', 'answer-begun')
  meetAt('request:trailers', 'answer-read')
}
