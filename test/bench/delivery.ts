import { longDelivery } from '../simulation/scene.ts'
import type { Figure } from './measure.ts'

/** Every run of the simulation has the same result, so both figures use one run. */
let delivered: ReturnType<typeof longDelivery> | undefined
const WHAT = 'delivery of 1,000 edits of 300 websites at 60 requests a minute'

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
