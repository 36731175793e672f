/**
 * Measures how many values of other clients are overwritten in the read-then-write window (docs/proof.md#overwritten-remote-values), while another
 * client adds a line to a list of every website each second: for single edits of a user who is online, and for a long delivery of
 * edits that were made offline. Also counts the requests of the long delivery. Exit status 1: a figure is above its bound.
 */
import { Scene, longDelivery } from './scene.ts'

const MINUTE = 60_000

/** A user who is online edits one of ten websites every twenty seconds, and reads the list every half a minute. */
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

/** Overwritten values in the time when a read could be up to 60 seconds old. */
const EARLIER = { single: 5_758, long: 3_529 }

const singles = await single(400)
console.log(`single edits: ${singles.writes} writes, ${singles.overwritten} values overwritten`)
const delivery = await longDelivery()
const requests = delivery.writes + delivery.reads
const ratio = requests / delivery.least
console.log(
  `long delivery: ${delivery.writes} writes, ${delivery.reads} reads, ${delivery.overwritten} values overwritten`,
)
console.log(`requests: ${requests}, ${ratio.toFixed(3)}x of the least ${delivery.least}`)
const isGood = singles.overwritten <= EARLIER.single / 20 && delivery.overwritten <= EARLIER.long / 4 && ratio <= 1.03
process.exitCode = isGood ? 0 : 1
