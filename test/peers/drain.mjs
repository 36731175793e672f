// @ts-check
import { VirtualTime } from '../model/clock.ts'
import { Seeded } from '../model/random.ts'
import { Network } from '../model/service/network.ts'
import { plainQuirks } from '../model/service/quirks.ts'
import { SimulatedService } from '../model/service/service.ts'
import { peers, quiet } from './libraries.mjs'
import { enterTime } from './virtual-globals.mjs'
import { startIn, worldOf } from './world.mjs'

/**
 * How many requests one library makes of a day's work without a connection: `node drain.mjs NAME EDITS TOUCHED LIMIT`.
 * Its last line is `{ requests, refused, minutes, held }` as JSON: `refused` were answered 429; `held` is still waiting.
 */
const [name = '', edits = '1000', touched = '300', limit = '60'] = process.argv.slice(2)
const HOUR = 60 * 60_000
/** It's given up then. */
const MOST = 24 * HOUR
const WEBSITES = 500

quiet()
const make = await /** @type {() => Promise<import('./peer.mjs').MakePeer>} */ (peers[name])()
const time = new VirtualTime(Infinity)
enterTime({ time, random: new Seeded(1) })
const service = new SimulatedService(() => time.now, { ...plainQuirks, showsParams: true, limit: Number(limit) })
service.keys.set('key-1', '1')
for (let n = 0; n < WEBSITES; n++) service.add(`site-${n}.example`, '1', {}, { by: 'remote', request: 0 })
const network = new Network({ time, service, random: new Seeded(3), fault: () => null })
let online = true
const { world } = worldOf({
  ...{ network, time, service, disk: {}, stored: new Map(), name: 'life 1' },
  isOnline: () => online,
  told: () => undefined,
})
const peer = await startIn(make, world)
/** @param {boolean} is */
function connect(is) {
  online = is
  network.weather = is ? 'fair' : 'offline'
  peer.network(is)
}

// Ours reads its list first; so it isn't counted, and the service's minute is over.
await time.run(time.now + HOUR)
connect(false)
for (let n = 0; n < Number(edits); n++) {
  let taken = false
  const domain = `site-${(n % Number(touched)) + 100}.example`
  void peer
    .enqueue({ id: n, kind: 'update', domain, field: 'exclude_ips', value: `10.0.${n >> 8}.${n % 256}` })
    .then(() => (taken = true))
  await time.run(time.now + 60_000, () => taken)
}
await time.run(time.now + HOUR)

const before = network.sent.length
const begun = time.now
connect(true)
/** @returns {Promise<number>} */
async function held() {
  /** @type {number[] | undefined} */
  let still
  void peer.held().then((found) => (still = found))
  await time.run(time.now + 10_000, () => still !== undefined)
  return still?.length ?? Number.NaN
}
let left = await held()
while (left > 0 && time.now < begun + MOST) {
  await time.run(time.now + 30_000)
  left = await held()
}
const sent = network.sent.slice(before).filter(({ handledAt }) => handledAt !== null)
const refused = sent.filter(({ handledWith }) => handledWith === 429).length
const last = Math.max(begun, ...sent.map(({ handledAt }) => handledAt ?? 0))
const counts = { requests: sent.length, refused, minutes: (last - begun) / 60_000, held: left }
process.stdout.write(`${JSON.stringify(counts)}\n`)
process.exit(0)
