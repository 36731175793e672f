import { longDelivery } from '../simulation/scene.ts'
import type { Figure } from './measure.ts'

/** The result of the simulated delivery, which is the same in each run and therefore runs once. */
let delivered: ReturnType<typeof longDelivery> | undefined
/** The name of the figure. */
const WHAT = 'delivery of 1,000 edits of 300 websites at 60 requests a minute'

/** Counts the requests of a long delivery. */
export async function delivery(): Promise<Figure> {
  const { writes, reads, least } = await (delivered ??= longDelivery())
  return {
    what: WHAT,
    ours: [writes + reads],
    baseline: [least],
    against: 'one PUT for each website, and the pages that the limit of 15 seconds makes necessary',
    unit: 'requests',
    goal: { times: 1.03 },
  }
}

/** Counts the requests of the same delivery that the service refuses because they are too many. */
export async function refusedInDelivery(): Promise<Figure> {
  const { refused } = await (delivered ??= longDelivery())
  const against = 'a client that keeps to the rate limit'
  return {
    what: `the same: answers 429`,
    ours: [refused],
    baseline: [0],
    against,
    unit: 'requests',
    goal: { times: 1 },
  }
}
