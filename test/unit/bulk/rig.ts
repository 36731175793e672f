import { afterEach, beforeEach, expect } from 'vitest'
import { createBulk } from '../../../src/main/bulk/bulk.ts'
import { fakeClock } from '../outbox/clock.ts'
import { must, random, startConnection, useFolder } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

/** Number of websites that {@link useBulk} starts with: `w0.example` and so on. */
export const WEBSITES = 5

/** Returns the ports that bulk changes of a connection need. Pauses end at once, and outcomes are not stored. */
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

function openBulk({ pause = () => Promise.resolve(), ...options }: Options) {
  const connection = startConnection(options)
  const { outbox, view, outcome } = connection
  return { ...connection, bulk: createBulk({ ...portsOf({ view, outbox }), outcome, pause }) }
}

/** Before each test, starts a connection that has read {@link WEBSITES} websites and one for each of `others`, and is offline. */
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
    keys: (text?: string) => state.app.list(text).map(({ key }) => key),
    /** Returns the websites of the last bulk change, counted by result. Fails the test if there was none. */
    counts() {
      const { sent, waiting, parked, notSent } = state.app.outcome.state() ?? expect.fail('there is no result')
      return { sent, waiting, parked, notSent }
    },
    async restart(): Promise<void> {
      await state.app.close()
      state.app = state.open()
    },
  }
}
