// @ts-check
import { createFetch } from '../model/service/fetch.ts'

/**
 * What a library finds in one life of the process; `end` ends it.
 *
 * @param {object} around
 * @param {import('../model/service/network.ts').Network} around.network
 * @param {import('../model/clock.ts').VirtualTime} around.time
 * @param {import('../model/service/service.ts').SimulatedService} around.service
 * @param {Record<string, any>} around.disk
 * @param {Map<string, string>} around.stored
 * @param {() => boolean} around.isOnline
 * @param {(edit: number, what: 'done' | 'failed') => void} around.told
 * @param {string} around.name of this life, for the service's log
 * @returns {{ world: any, end: () => void }}
 */
export function worldOf({ network, time, service, disk, stored, isOnline, told, name }) {
  let alive = true
  const send = createFetch(network, name)
  const never = () => new Promise(() => undefined)
  const world = {
    disk,
    time,
    network,
    storage: {
      getItem: (/** @type {string} */ key) => Promise.resolve(stored.get(key) ?? null),
      setItem: (/** @type {string} */ key, /** @type {string} */ value) =>
        Promise.resolve(void (alive && stored.set(key, value))),
      removeItem: (/** @type {string} */ key) => Promise.resolve(void (alive && stored.delete(key))),
      getAllKeys: () => Promise.resolve([...stored.keys()]),
    },
    async fetch(/** @type {any} */ input, /** @type {any} */ init) {
      if (!alive) return never()
      try {
        const response = await send(input, init)
        return alive ? response : await never()
      } catch (error) {
        return alive ? Promise.reject(error) : never()
      }
    },
    idOf: (/** @type {string} */ domain) => service.websites.find((website) => website.domain === domain)?.number,
    isOnline,
    isAlive: () => alive,
    told: (/** @type {number} */ edit, /** @type {'done' | 'failed'} */ what) => alive && told(edit, what),
  }
  return { world, end: () => void (alive = false) }
}

/**
 * Starts a library in it.
 *
 * @param {import('./peer.mjs').MakePeer} make
 * @param {any} world
 */
export async function startIn(make, world) {
  /** @type {import('./peer.mjs').Peer | undefined} */
  let begun
  void make(world).then((made) => (begun = made))
  await world.time.run(world.time.now + 10_000, () => begun !== undefined)
  if (begun === undefined) throw new Error('It never starts.')
  return /** @type {import('./peer.mjs').Peer} */ (begun)
}
