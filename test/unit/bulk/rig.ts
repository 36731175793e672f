import { afterEach, beforeEach, expect } from 'vitest'
import { createBulk } from '../../../src/main/bulk/bulk.ts'
import { fakeClock } from '../outbox/clock.ts'
import { must, random, startConnection, useFolder } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

/** Number of websites that `useBulk` starts with: `w0.example` and so on. */
export const WEBSITES = 5

/** Returns the ports of bulk edits of a connection, with pauses that end at once and an outcome that records nothing. */
export const portsOf = ({ view, outbox }: Pick<ReturnType<typeof startConnection>, 'view' | 'outbox'>) => ({
  ...{ view, outbox, newId: random.id, pause: () => Promise.resolve() },
  outcome: {
    queuedFor: () => [],
    begin: () => undefined,
    bulkUndo: () => null,
    results: () => new Map(),
    takeBack: <T>(_: string, work: () => Promise<T>) => work(),
  },
})

type Options = Parameters<typeof startConnection>[0] & { pause?: () => Promise<void> }

/** Starts a connection with its bulk changes. */
function openBulk({ pause = () => Promise.resolve(), ...options }: Options) {
  const connection = startConnection(options)
  const { outbox, view, outcome } = connection
  return { ...connection, bulk: createBulk({ ...portsOf({ view, outbox }), outcome, pause }) }
}

/**
 * Starts a connection before each test, to a service with {@link WEBSITES} websites and one for each domain in `others`. The
 * connection has read the list and is offline.
 */
export function useBulk(options: Partial<Options> = {}, ...others: string[]) {
  const fileIn = useFolder()
  const begin = () => {
    const clock = fakeClock()
    const service = new SimulatedService()
    for (let n = 0; n < WEBSITES; n++) service.add(`w${n}.example`, { email: false })
    for (const domain of others) service.add(domain, { email: false })
    const open = () => openBulk({ service, clock, file: fileIn(), ...options })
    return { clock, service, open, app: open() }
  }
  let state: ReturnType<typeof begin>
  beforeEach(async () => {
    state = begin()
    must(await state.app.refresh.run())
    await state.app.offline()
  })
  afterEach(() => state.app.close())
  return {
    get clock() {
      return state.clock
    },
    get service() {
      return state.service
    },
    get app() {
      return state.app
    },
    /** Returns the keys of the websites with a text in their domain, in the order of the list. */
    keys: (text?: string) => state.app.list(text).map(({ key }) => key),
    /** Returns the numbers of websites of the last bulk change by result, and fails the test if no bulk change is reported. */
    counts() {
      const { sent, waiting, parked, back } = state.app.outcome.state() ?? expect.fail('there is no result')
      return { sent, waiting, parked, back }
    },
    async restart(): Promise<void> {
      await state.app.close()
      state.app = state.open()
    },
  }
}
