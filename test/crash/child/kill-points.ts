import { subscribe } from 'node:diagnostics_channel'
import type { ConnectionStore } from '../../../src/main/storage/store.ts'
import type { Orders, Step } from '../protocol.ts'

export type Meet = (step: Step) => void

/** Ends this process as a crash would, at the nth time that the step is met. */
export function meetIn({ kill }: Orders): Meet {
  let met = 0
  return (step) => {
    if (step !== kill?.step) return
    met += 1
    if (met === kill.nth) process.kill(process.pid, 'SIGKILL')
  }
}

/**
 * A store that meets its steps before and after each commit; which steps they are shows in what the transaction does: an
 * acknowledgement may have the next one's "sending" in it. `isAsked`: the person is being answered just now. `sendingLate`: the weakness of that name.
 */
export function withKillPoints(
  store: ConnectionStore,
  meet: Meet,
  { isAsked, sendingLate }: { isAsked: () => boolean; sendingLate: boolean },
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
      if (isAsked()) doing.add('enqueue')
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

/** Meets writes while they are on their way, by the diagnostics channels of undici. */
export function meetOnTheWire(meet: Meet): void {
  const meetAt = (channel: string, step: Step): void =>
    subscribe(`undici:${channel}`, (message) => {
      if ((message as { request: { method: string } }).request.method !== 'GET') meet(step)
    })
  // It has a connection, over which nothing went yet.
  meetAt('client:sendHeaders', 'before-first-byte')
  meetAt('request:headers', 'answer-begun')
  meetAt('request:trailers', 'answer-read')
}
