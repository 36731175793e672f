/**
 * The environment of a library for one run of its process. After the run has ended, the library reaches neither the network nor
 * the disk.
 *
 * @typedef {object} PeerWorld
 * @property {typeof fetch} fetch to the service, in virtual time
 * @property {Record<string, any>} disk outlives the process
 * @property {{ getItem(key: string): Promise<string | null>, setItem(key: string, value: string): Promise<void>,
 *   removeItem(key: string): Promise<void>, getAllKeys(): Promise<string[]> }} storage on that disk, as fast as can be
 * @property {import('../simulation/machine/clock.ts').VirtualTime} time
 * @property {(domain: string) => number} idOf the service's id of a website that was there from the beginning
 * @property {() => boolean} isOnline true if the operating system reports a network
 * @property {() => boolean} isAlive true until the process ends
 * @property {(edit: number, what: 'done' | 'failed') => void} report reports the library's outcome of an edit
 */
/**
 * @typedef {object} Peer
 * @property {(edit: import('./schedule.mjs').PeerEdit) => Promise<void>} enqueue resolves once the library says it has the edit
 * @property {() => Promise<number[]>} held the ids of the edits that the library still has
 * @property {(online: boolean) => void} network called when the operating system reports that the network is there or gone
 * @property {() => void} [end] the process ends
 */
/** @typedef {(world: PeerWorld) => Promise<Peer>} MakePeer */

export {}
