/**
 * The means that a library can use during one run of its process. Afterwards, it reaches neither the network nor the disk.
 *
 * @typedef {object} PeerWorld
 * @property {typeof fetch} fetch sends requests to the service, in virtual time
 * @property {Record<string, any>} disk data that outlive the process
 * @property {{ getItem(key: string): Promise<string | null>, setItem(key: string, value: string): Promise<void>,
 *   removeItem(key: string): Promise<void>, getAllKeys(): Promise<string[]> }} storage a storage on that disk, without delays
 * @property {import('../simulation/machine/clock.ts').VirtualTime} time
 * @property {(domain: string) => number} idOf returns the service's id of a website that exists from the start
 * @property {() => boolean} isOnline true if the operating system reports a network
 * @property {() => boolean} isAlive true until the process ends
 * @property {(edit: number, what: 'done' | 'failed') => void} report reports the library's outcome of an edit
 */
/**
 * @typedef {object} Peer
 * @property {(edit: import('./schedule.mjs').PeerEdit) => Promise<void>} enqueue resolves once the library has accepted the edit
 * @property {() => Promise<number[]>} held returns the ids of the edits that the library has not finished
 * @property {(online: boolean) => void} network called when the operating system reports a network, or none
 * @property {() => void} [end] called when the process ends
 */
/** @typedef {(world: PeerWorld) => Promise<Peer>} MakePeer */

export {}
