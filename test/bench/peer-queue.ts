import { openBare } from './enqueue.ts'

/** What an adapter of test/peers makes of a library (test/peers/peer.mjs). */
interface Peer {
  enqueue: (edit: object) => Promise<void>
  end?: () => void
}
type MakePeer = (world: object) => Promise<Peer>

/** Where each keeps an edit that waits, to be found there as after a start with many of them. */
interface Kept {
  file: string
  name: string
  /** A start with more in its queue takes minutes. */
  most?: number
  /** The store of a queue with one edit, as it is with `count` of them; `nth` makes another edit's text of that one's. */
  many: (stored: Map<string, string>, count: number, nth: (text: string, n: number) => string) => void
}

/** Those that keep their queue in a store that is handed to them, each as its guide has it at its most careful. */
const kept: Record<string, Kept> = {
  'offline-transactions': {
    file: 'transactions.mjs',
    name: 'transactionsTuned',
    most: 5000,
    many(stored, count, nth) {
      const [[key, text] = ['', '']] = stored
      stored.clear()
      for (let n = 1; n <= count; n++) stored.set(nth(key, n), nth(text, n))
    },
  },
  'query persist': {
    file: 'query.mjs',
    name: 'queryWaiting',
    many: inList('query-cache', ({ clientState }) => (clientState as { mutations: unknown[] }).mutations),
  },
  'redux-offline': {
    file: 'redux-offline.mjs',
    name: 'reduxOfflineTuned',
    many: inList('reduxPersist:offline', ({ outbox }) => outbox as unknown[]),
  },
}
/** Those that can be measured with so many edits in their queues. */
export const peersWith = (queued: number): string[] =>
  Object.keys(kept).filter((name) => queued <= (kept[name]?.most ?? Infinity))

/** One text with the whole queue in it. */
function inList(key: string, list: (state: Record<string, unknown>) => unknown[]): Kept['many'] {
  return (stored, count, nth) => {
    const state = JSON.parse(stored.get(key) ?? '') as Record<string, unknown>
    const all = list(state)
    const [one] = all
    all.length = 0
    for (let n = 1; n <= count; n++) all.push(JSON.parse(nth(JSON.stringify(one), n)))
    stored.set(key, JSON.stringify(state))
  }
}

/** Each value is found in the store as soon as it's durable. */
const MARK = 'marker'
const markOf = (n: number): string => `${MARK}${String(n).padStart(7, '0')}`
const edit = (n: number) => ({
  id: n,
  kind: 'update',
  domain: `site-${String(n)}.example`,
  field: 'exclude_params',
  value: markOf(n),
})

export interface PeerQueue {
  /** Milliseconds from handing over an edit until it's on disk. */
  write: () => Promise<number>
  end: () => void
}

/**
 * A library over SQLite with the settings of ours, offline, with so many edits in its queue.
 *
 * @param name one of {@link peersWith}
 */
export async function openPeer(name: string, folder: string, queued: number): Promise<PeerQueue> {
  const { file, name: exported, many } = kept[name] as Kept
  const adapter = new URL(`../peers/adapters/${file}`, import.meta.url).href
  const make = ((await import(adapter)) as Record<string, MakePeer>)[exported] as MakePeer

  const stored = new Map<string, string>()
  if (queued > 0) {
    // One that it has written itself tells what they look like.
    const first = await make(worldOver(storageOf(stored)))
    await first.enqueue(edit(1))
    await pause(100)
    first.end?.()
    const id = [...stored.keys()].find((key) => key.startsWith('tx:'))?.slice(3)
    many(stored, queued, (text, n) =>
      text
        .replaceAll(markOf(1), markOf(n))
        .replaceAll('site-1.', `site-${String(n)}.`)
        .replaceAll('edit-1"', `edit-${String(n)}"`)
        .replaceAll(id ?? '\n', `${id ?? ''}-${String(n)}`),
    )
  }
  const disk = sqliteStorage(folder)
  disk.fill(stored)
  const peer = await make(worldOver(disk.storage))
  await disk.quiet()

  let next = queued
  return {
    async write() {
      const n = ++next
      const durable = disk.written(markOf(n))
      const begun = performance.now()
      void peer.enqueue(edit(n))
      const taken = (await durable) - begun
      await disk.quiet()
      return taken
    },
    end() {
      peer.end?.()
      disk.end()
    },
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Storage {
  getItem: (key: string) => Promise<string | null>
  setItem: (key: string, value: string) => Promise<void>
  removeItem: (key: string) => Promise<void>
  getAllKeys: () => Promise<string[]>
}

/** Offline, in real time. */
const worldOver = (storage: Storage) => ({
  disk: {},
  storage,
  time: {
    sleep: pause,
    after(ms: number, call: () => void) {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
  },
  fetch: () => new Promise(() => undefined),
  idOf: () => 7,
  isOnline: () => false,
  isAlive: () => true,
  told: () => undefined,
})

const storageOf = (stored: Map<string, string>): Storage => ({
  getItem: (key) => Promise.resolve(stored.get(key) ?? null),
  setItem: (key, value) => Promise.resolve(void stored.set(key, value)),
  removeItem: (key) => Promise.resolve(void stored.delete(key)),
  getAllKeys: () => Promise.resolve([...stored.keys()]),
})

function sqliteStorage(folder: string) {
  const db = openBare(folder)
  db.exec('CREATE TABLE item (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID')
  const put = db.prepare('INSERT INTO item VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
  const get = db.prepare<[string], string>('SELECT value FROM item WHERE key = ?').pluck()
  const remove = db.prepare('DELETE FROM item WHERE key = ?')
  const keys = db.prepare<[], string>('SELECT key FROM item').pluck()
  let writes = 0
  let awaited: { mark: string; tell: (at: number) => void } | null = null
  const storage: Storage = {
    getItem: (key) => Promise.resolve(get.get(key) ?? null),
    setItem(key, value) {
      put.run(key, value)
      const at = performance.now()
      writes += 1
      if (awaited !== null && value.includes(awaited.mark)) {
        awaited.tell(at)
        awaited = null
      }
      return Promise.resolve()
    },
    removeItem: (key) => Promise.resolve(void remove.run(key)),
    getAllKeys: () => Promise.resolve(keys.all()),
  }
  return {
    storage,
    fill: db.transaction((stored: ReadonlyMap<string, string>) => {
      for (const [key, value] of stored) put.run(key, value)
    }),
    /** Resolves with the time at which a value with this in it has been committed. */
    written: (mark: string) => new Promise<number>((tell) => (awaited = { mark, tell })),
    /** What it does beyond that isn't counted, and is over before the next one's turn. */
    async quiet() {
      for (let before = -1; before !== writes;) {
        before = writes
        await pause(8)
      }
    },
    end: () => void db.close(),
  }
}
