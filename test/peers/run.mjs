// @ts-check
import { VirtualTime } from '../model/clock.ts'
import { Seeded, seedOf } from '../model/random.ts'
import { badDay, drawFault } from '../model/service/faults.ts'
import { createFetch } from '../model/service/fetch.ts'
import { Network } from '../model/service/network.ts'
import { plainQuirks } from '../model/service/quirks.ts'
import { SimulatedService } from '../model/service/service.ts'
import { judge } from './judge.mjs'
import { domains, FAULT_RATE, generate } from './schedule.mjs'
import { enterTime } from './virtual-globals.mjs'

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
  let life = { alive: false }
  /** @type {import('./peer.mjs').Peer | undefined} */
  let peer

  async function begin() {
    peer?.end?.()
    life.alive = false
    const mine = (life = { alive: true })
    const send = createFetch(network, `life ${++lives}`)
    const never = () => new Promise(() => undefined)
    /** @type {any} */
    const world = {
      disk,
      time,
      network,
      storage: {
        getItem: (/** @type {string} */ key) => Promise.resolve(stored.get(key) ?? null),
        setItem: (/** @type {string} */ key, /** @type {string} */ value) =>
          Promise.resolve(void (mine.alive && stored.set(key, value))),
        removeItem: (/** @type {string} */ key) => Promise.resolve(void (mine.alive && stored.delete(key))),
        getAllKeys: () => Promise.resolve([...stored.keys()]),
      },
      async fetch(/** @type {any} */ input, /** @type {any} */ init) {
        if (!mine.alive) return never()
        try {
          const response = await send(input, init)
          return mine.alive ? response : await never()
        } catch (error) {
          return mine.alive ? Promise.reject(error) : never()
        }
      },
      idOf: (/** @type {string} */ domain) => service.websites.find((website) => website.domain === domain)?.number,
      isOnline: () => online,
      isAlive: () => mine.alive,
      told: (/** @type {number} */ edit, /** @type {'done' | 'failed'} */ what) => mine.alive && told.set(edit, what),
    }
    /** @type {import('./peer.mjs').Peer | undefined} */
    let begun
    void make(world).then((made) => (begun = made))
    await time.run(time.now + 10_000, () => begun !== undefined)
    if (begun === undefined) throw new Error('It never starts.')
    peer = begun
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
  life.alive = false
  return counts
}
