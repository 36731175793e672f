import { VirtualTime } from '../simulation/machine/clock.ts'
import { Seeded, seedOf } from '../simulation/machine/random.ts'
import { badDay, drawFault } from '../simulation/service/faults.ts'
import { createFetch } from '../simulation/service/fetch.ts'
import { Network } from '../simulation/service/network.ts'
import { plainQuirks } from '../simulation/service/quirks.ts'
import { SimulatedService } from '../simulation/service/service.ts'
import { judge } from './judge.mjs'
import { domains, FAULT_RATE, generate } from './schedule.mjs'
import { enterTime } from './virtual-globals.mjs'

const HOUR = 60 * 60_000

/**
 * Runs the schedule of a seed over one library. Afterwards, without faults, two hours pass, the process restarts, and two more
 * hours pass. Returns the counts.
 */
export async function runSeed(make, seed) {
  // No limit for the number of timers, because some libraries poll the clock.
  const time = new VirtualTime(Infinity)
  const random = new Seeded(seedOf(seed, 11))
  enterTime({ time, random: new Seeded(seedOf(seed, 12)) })
  // The service shows both lists, so that no client has a question about a list that it can't read.
  const service = new SimulatedService(() => time.now, { ...plainQuirks, showsParams: true })
  service.keys.set('key-1', '1')
  for (const domain of domains) service.add(domain, '1', {}, { by: 'remote', request: 0 })
  let fair = true
  const network = new Network({
    time,
    service,
    random: new Seeded(seedOf(seed, 13)),
    lagging: new Seeded(seedOf(seed, 14)),
    fault: (_, isWrite) => (!fair && random.chance(FAULT_RATE) ? drawFault(random, isWrite, badDay) : null),
  })

  const [disk, stored, reported, edits] = [{}, new Map(), new Map(), []]
  let online = true
  let lives = 0
  let life = { alive: false }
  let peer

  /** Returns the value of a promise (null for undefined). Returns undefined if it isn't settled within `ms` of virtual time. */
  async function within(ms, promise) {
    let value
    void promise?.then((found) => (value = found ?? null))
    await time.run(time.now + ms, () => value !== undefined)
    return value
  }

  /** Ends the process, if there is one, and starts the library in a new one. */
  async function begin() {
    peer?.end?.()
    life.alive = false
    const own = (life = { alive: true })
    const isAlive = () => own.alive
    peer = await within(
      10_000,
      make({
        ...{ disk, time, network, isAlive },
        storage: storageOf(stored, isAlive),
        fetch: fetchOf(createFetch(network, `life ${++lives}`), isAlive),
        idOf: (domain) => service.websites.find((website) => website.domain === domain)?.number,
        isOnline: () => online,
        report: (edit, what) => own.alive && reported.set(edit, what),
      }),
    )
    if (peer === undefined) throw new Error('The library did not start.')
  }

  await begin()
  await time.run(time.now + 10_000)
  fair = false
  for (const step of generate(seed)) {
    await time.run(time.now + step.after)
    if (step.do === 'edit') {
      edits.push({ ...step.edit, madeAt: time.now })
      // Waits until the edit is saved, or for two minutes.
      await within(120_000, peer.enqueue(step.edit))
    } else if (step.do === 'restart') await begin()
    else {
      online = step.do === 'online'
      network.weather = online ? 'fair' : 'offline'
      peer.network(online)
    }
  }
  fair = true
  network.weather = 'fair'
  online = true
  peer.network(true)
  await time.run(time.now + 2 * HOUR)
  await begin()
  await time.run(time.now + 2 * HOUR)
  const held = await within(10_000, peer.held())
  const counts = judge({ edits, reported, held: new Set(held), service })
  peer.end?.()
  life.alive = false
  return counts
}

/** A process that has ended gets no more answers. */
const never = () => new Promise(() => undefined)

const fetchOf = (send, isAlive) => async (input, init) => {
  if (!isAlive()) return never()
  try {
    const response = await send(input, init)
    return isAlive() ? response : await never()
  } catch (error) {
    return isAlive() ? Promise.reject(error) : never()
  }
}

const storageOf = (stored, isAlive) => ({
  getItem: async (key) => stored.get(key) ?? null,
  setItem: async (key, value) => void (isAlive() && stored.set(key, value)),
  removeItem: async (key) => void (isAlive() && stored.delete(key)),
  getAllKeys: async () => [...stored.keys()],
})
