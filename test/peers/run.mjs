// @ts-check
import { VirtualTime } from '../model/clock.ts'
import { Seeded, seedOf } from '../model/random.ts'
import { badDay, drawFault } from '../model/service/faults.ts'
import { Network } from '../model/service/network.ts'
import { plainQuirks } from '../model/service/quirks.ts'
import { SimulatedService } from '../model/service/service.ts'
import { judge } from './judge.mjs'
import { domains, FAULT_RATE, generate } from './schedule.mjs'
import { enterTime } from './virtual-globals.mjs'
import { startIn, worldOf } from './world.mjs'

const HOUR = 60 * 60_000

/**
 * Runs the schedule of a seed over one library to its end: faults stop, the network is there, two hours pass, the process
 * is started once more, and two hours pass again. Answers the counts.
 *
 * @param {import('./peer.mjs').MakePeer} make
 * @param {number} seed
 */
export async function runSeed(make, seed) {
  // Some of them ask again and again whether it's time already.
  const time = new VirtualTime(Infinity)
  const random = new Seeded(seedOf(seed, 11))
  enterTime({ time, random: new Seeded(seedOf(seed, 12)) })
  // Its lists are both shown, so that nobody has to ask the person about a field that can't be seen.
  const service = new SimulatedService(() => time.now, { ...plainQuirks, showsParams: true })
  service.keys.set('key-1', '1')
  for (const domain of domains) service.add(domain, '1', {}, { by: 'remote', request: 0 })
  let fair = true
  const network = new Network({
    time,
    service,
    random: new Seeded(seedOf(seed, 13)),
    fault: (_, isWrite) => (!fair && random.chance(FAULT_RATE) ? drawFault(random, isWrite, badDay) : null),
  })

  /** @type {Record<string, any>} */
  const disk = {}
  /** @type {Map<string, string>} */
  const stored = new Map()
  /** @type {Map<number, 'done' | 'failed'>} */
  const told = new Map()
  /** @type {import('./schedule.mjs').PeerEdit[]} */
  const edits = []
  let online = true
  let lives = 0
  let end = () => undefined
  /** @type {import('./peer.mjs').Peer | undefined} */
  let peer

  async function begin() {
    peer?.end?.()
    end()
    const life = worldOf({
      ...{ network, time, service, disk, stored, name: `life ${++lives}` },
      isOnline: () => online,
      told: (edit, what) => void told.set(edit, what),
    })
    end = life.end
    peer = await startIn(make, life.world)
  }

  await begin()
  await time.run(time.now + 10_000)
  fair = false
  for (const step of generate(seed)) {
    await time.run(time.now + step.after)
    switch (step.do) {
      case 'edit': {
        edits.push(step.edit)
        let taken = false
        void peer?.enqueue(step.edit).then(() => (taken = true))
        // The person sees that it's saved, or waits no longer than this.
        await time.run(time.now + 120_000, () => taken)
        break
      }
      case 'restart':
        await begin()
        break
      default:
        online = step.do === 'online'
        network.weather = online ? 'fair' : 'offline'
        peer?.network(online)
    }
  }
  fair = true
  network.weather = 'fair'
  online = true
  peer?.network(true)
  await time.run(time.now + 2 * HOUR)
  await begin()
  await time.run(time.now + 2 * HOUR)
  /** @type {number[] | undefined} */
  let held
  void peer?.held().then((still) => (held = still))
  await time.run(time.now + 10_000, () => held !== undefined)
  const counts = judge({ edits, told, held: new Set(held), service })
  peer?.end?.()
  end()
  return counts
}
