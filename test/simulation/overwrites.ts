/**
 * Measures how many values of another client are overwritten in the read-then-write window
 * (docs/proof.md#overwritten-remote-values) while this client adds a line to a list of every website each second. Measures single
 * edits of a user who is online, and a long delivery of edits that were made offline, whose requests are counted too.
 */
import { Scene, longDelivery } from './scene.ts'

const MINUTE = 60_000

/**
 * Lets a user who is online edit one of ten websites about every twenty seconds and read the list every half minute, up to this
 * number of edits. Returns {@link Scene.figures}.
 */
async function single(edits: number) {
  const scene = new Scene(10, 1)
  const keys = await scene.keys()
  scene.disturb()
  const from = scene.network.sent.length
  const refresh = () => {
    void scene.app.refresh.run()
    scene.time.after(MINUTE / 2, refresh)
  }
  refresh()
  for (let n = 0; n < edits; n++) {
    await scene.time.run(scene.time.now + scene.random.between(10_000, 30_000))
    await scene.edit(scene.random.pick(keys))
  }
  return scene.figures(from)
}

/** The overwritten values of an earlier version of the app, in which a write could follow a read by up to 60 seconds. */
const EARLIER = { single: 5_758, long: 3_529 }

/** `ratio`: the requests of the long delivery, divided by the least possible number. */
export interface Overwrites {
  singles: Awaited<ReturnType<typeof single>>
  delivery: Awaited<ReturnType<typeof longDelivery>>
  ratio: number
}

/** Highest values that are accepted (docs/proof.md#overwritten-remote-values). */
export const BOUNDS = { single: EARLIER.single / 20, long: EARLIER.long / 4, ratio: 1.03 }

export async function measureOverwrites(): Promise<Overwrites> {
  const singles = await single(400)
  const delivery = await longDelivery()
  return { singles, delivery, ratio: (delivery.writes + delivery.reads) / delivery.least }
}

/** Measures and prints the values. Returns false if one is above its bound. */
export async function proveOverwrites(): Promise<boolean> {
  const { singles, delivery, ratio } = await measureOverwrites()
  const { writes, reads, overwritten, least } = delivery
  console.log(`single edits: ${singles.writes} writes, ${singles.overwritten} values overwritten`)
  console.log(`long delivery: ${writes} writes, ${reads} reads, ${overwritten} values overwritten`)
  console.log(`requests: ${writes + reads}, ${ratio.toFixed(3)}x of the least ${least}`)
  return singles.overwritten <= BOUNDS.single && overwritten <= BOUNDS.long && ratio <= BOUNDS.ratio
}
