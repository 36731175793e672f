import type { IpcMainInvokeEvent } from 'electron'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { checked } from '../../src/main/ipc/checked.ts'
import { websiteHandlers } from '../../src/main/ipc/websites.ts'
import { commands } from '../../src/preload/bridge.ts'
import { keysOf, must, openConnection, type BenchConnection } from './connection.ts'
import type { Bench, Figure } from './figure.ts'
import { inTurn, type Way } from './in-turn.ts'
import { measureSeen } from './scale-seen.ts'
import { FILE, startServed, type Served } from './served.ts'
import { slopeInWords, slopeOf } from './slope.ts'

/** How many websites there are where what waits grows, beside those that are changed as it's measured. */
const QUEUED_OF = 10_000
const SPARE = 100
/** So many changes are sent in one go. */
const SENT = 10
const WORDS = ['bakery', 'kestrel', 'studio', 'music', 'shop', 'heron', 'yoga', 'amber', 'films', 'wren']

/** How what a person waits for grows with what there is. */
export const scale: Bench = {
  name: 'scale',
  about:
    'What a change (bridge to disk), a search (bridge to the first hundred of what it finds), a page of a hundred over the bridge, reading the list anew, ' +
    `sending ${String(SENT)} changes, and opening the connection’s file with the first hundred websites take in main: with more and more websites, and with more ` +
    `and more changes queued of ${String(QUEUED_OF)} websites. And what the person waits for: until the tray is there, until the window, let go ` +
    'or put away before, shows the list, and from a key in the search to its rows. All sizes are measured in turn. The figure is the slope of the ' +
    'line through the medians with both axes logarithmic: 0 is flat, 1 is linear. A search looks at each domain, a list is read ' +
    'page by page, and the first look into a file counts its websites: those are linear where there is much, and what they ' +
    'take in any case shows where there is little.',
  async run({ quick }) {
    const websites = await measure(quick ? [10, 100, 1000] : [10, 100, 1000, 10_000, 100_000], quick, openWith)
    const queued = await measure(quick ? [1, 10, 100] : [1, 10, 100, 1000, 10_000], quick, (count) =>
      openQueued(count, quick ? 1000 : QUEUED_OF),
    )
    const seen = await measureSeen(quick)
    return [
      ...figuresOf('websites', websites),
      ...figuresOf('websites', seen.websites, ' (seen)'),
      ...figuresOf('queued changes', queued),
      ...figuresOf('queued changes', seen.queued, ' (seen)'),
    ]
  },
}

interface Level {
  served: Served
  /** Of websites that may be changed. */
  keys: string[]
  /** Of these so many have a change that waits, the first ones. */
  all: string[]
  queued: number
}

/** Nothing is sent: what is queued stays. */
async function openWith(websites: number): Promise<Level> {
  const served = await startServed(websites)
  served.pause.set(true)
  must(await served.connection.refresh.run())
  const all = keysOf(served, Math.min(websites, QUEUED_OF + SPARE))
  return { served, keys: all.slice(0, SPARE), all: websites > 2 * SPARE ? all.slice(SPARE) : all, queued: 0 }
}

async function openQueued(count: number, websites: number): Promise<Level> {
  const level = await openWith(websites + SPARE)
  const { served, all } = level
  for (const key of all.slice(0, count)) await change(served, key)
  return { ...level, queued: count }
}

/** Other than it is. */
async function change({ connection: { outbox, view } }: Served, key: string): Promise<void> {
  must(await outbox.update(key, { email: view.get(key)?.email !== true }))
}

const acts = ['enqueue', 'search', 'page', 'refresh', 'send', 'open'] as const
type Act = (typeof acts)[number]
const ways: Record<Act, (level: Level) => Way & { end?: () => Promise<void> }> = {
  enqueue({ served, keys }) {
    const update = checked('updateWebsite', websiteHandlers(served.connections).updateWebsite, around)
    const { outbox } = served.connection
    const keyOf = (round: number): string => keys[round % keys.length] ?? ''
    let last = ''
    /** The next change of a website would go into the same edit. */
    const takeBack = (): void => {
      if (last === '') return
      for (const { id } of must(outbox.list({ page: 1, per_page: 100, website: last })).edits) must(outbox.undo(id))
    }
    return {
      before: takeBack,
      end: async () => takeBack(),
      async run(round) {
        const changes = { exclude_ips: [`192.0.2.${String(round % 250)}`] }
        last = keyOf(round)
        must(await update({} as IpcMainInvokeEvent, { key: last, changes }))
      },
    }
  },
  search({ served }) {
    const list = checked('listWebsites', websiteHandlers(served.connections).listWebsites, around)
    return {
      async run(round) {
        const search = WORDS[round % WORDS.length]
        const request = commands.listWebsites.request.parse({ search, per_page: 100, page: 1 })
        must(await list({} as IpcMainInvokeEvent, request))
      },
    }
  },
  page({ served }) {
    const list = checked('listWebsites', websiteHandlers(served.connections).listWebsites, around)
    const request = commands.listWebsites.request.parse({ per_page: 100, page: 1 })
    return { run: async () => void must(await list({} as IpcMainInvokeEvent, request)) }
  },
  refresh: ({ served }) => ({ run: async () => void must(await served.connection.refresh.run()) }),
  send({ served, all, queued }) {
    const { connection, pause } = served
    const { outbox } = connection
    let next = queued
    return {
      // What has waited longest goes first: the same number waits before and after, of other websites each time.
      async before() {
        must(await connection.refresh.run())
        for (let left = SENT; left > 0; left--) await change(served, all[next++ % all.length] ?? '')
      },
      async run() {
        const goal = outbox.sent() + SENT
        await new Promise<void>((resolve) => {
          const stop = outbox.onChange(() => {
            if (outbox.sent() < goal) return
            pause.set(true)
            stop()
            resolve()
          })
          pause.set(false)
        })
        await outbox.atRest()
      },
    }
  },
  open({ served: { folder } }) {
    // Of a copy, for the file is ours alone while it's open; it's as it stands on disk, its log beside it.
    const copy = `copy-of-${FILE}`
    for (const ending of ['', '-wal']) {
      const from = join(folder, FILE + ending)
      if (existsSync(from)) copyFileSync(from, join(folder, copy + ending))
    }
    let opened: BenchConnection | undefined
    const end = async (): Promise<void> => opened?.connection.close()
    return {
      before: end,
      async run() {
        opened = await openConnection(folder, { file: copy })
        must(opened.connection.view.list(commands.listWebsites.request.parse({ per_page: 100, page: 1 })))
      },
      end,
    }
  },
}
const around = { isOurPage: () => true, gate: { enter: () => true, leave: () => undefined }, log: () => undefined }
const rounds: Record<Act, number> = { enqueue: 60, search: 40, page: 40, refresh: 7, send: 12, open: 12 }

/** Milliseconds, the median of each, by how many there are. */
export type Medians<A extends string = Act> = Map<number, Record<A, number>>

async function measure(levels: number[], quick: boolean, open: (count: number) => Promise<Level>): Promise<Medians> {
  const opened = new Map<number, Level>()
  try {
    for (const count of levels) opened.set(count, await open(count))
    const medians: Medians = new Map(
      levels.map((count) => [count, Object.fromEntries(acts.map((act) => [act, 0]))]) as never,
    )
    for (const act of acts) {
      const each = [...opened].map(([count, level]) => [String(count), ways[act](level)] as const)
      const times = await inTurn(Object.fromEntries(each), { rounds: quick ? 3 : rounds[act], warm: 1 })
      for (const [, way] of each) await way.end?.()
      for (const [count, taken] of medians) taken[act] = times[String(count)]?.median ?? Number.NaN
    }
    return medians
  } finally {
    for (const { served } of opened.values()) await served.end()
  }
}

/** `chart`: of those that are drawn together, where that isn't all by the same. */
function figuresOf<A extends string>(by: string, medians: Medians<A>, chart = ''): Figure[] {
  const at = [...medians.keys()]
  const [first] = medians.values()
  return (Object.keys(first ?? {}) as A[]).map((name) => {
    const ms = [...medians.values()].map((taken) => taken[name])
    const slope = slopeOf(at, ms)
    const last = slopeOf(at.slice(-2), ms.slice(-2))
    const lately =
      slopeInWords(last) === slopeInWords(slope) ? '' : `, ${slopeInWords(last)} at the end (${last.toFixed(2)})`
    const times = ms.map((one) => (one < 10 ? one.toPrecision(2) : one.toFixed(0))).join(', ')
    return {
      name: `${name}, by ${by}`,
      ratio: slope,
      unit: 'slope',
      bar: null,
      of: `${slopeInWords(slope)}${lately}: ${times} ms at ${at.map(String).join(', ')}`,
      series: { name, by: by + chart, at, ms },
    }
  })
}
