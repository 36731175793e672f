import type { IpcMainInvokeEvent } from 'electron'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { checked } from '../../src/main/ipc/checked.ts'
import { websiteHandlers } from '../../src/main/ipc/websites.ts'
import { commands } from '../../src/preload/bridge.ts'
import { keysOf, must, openConnection } from './connection.ts'
import type { Bench, Figure } from './figure.ts'
import { median } from './in-turn.ts'
import { FILE, startServed, type Served } from './served.ts'
import { slopeInWords, slopeOf } from './slope.ts'

/** So many are queued in, so that there is something to open and to lay over the list. */
const QUEUED_OF = 10_000

const acts = ['enqueue', 'search', 'refresh', 'open'] as const
type Act = (typeof acts)[number]
/** Milliseconds, the median. */
type Taken = Record<Act, number>

/** How what a person waits for grows with what there is. */
export const scale: Bench = {
  name: 'scale',
  about:
    'What a change (bridge to disk), a search (bridge to the first hundred of what it finds), reading the list anew, and ' +
    'opening the connection’s file with the first hundred websites take in main: with more and more websites, and with more ' +
    `and more changes queued of ${String(QUEUED_OF)} websites. The figure is the slope of the line through the medians with both ` +
    'axes logarithmic: 0 is flat, 1 is linear. Nothing else is compared, and the times mean nothing on another machine.',
  async run({ quick }) {
    const websites = await byWebsites(quick ? [10, 100, 1000] : [10, 100, 1000, 10_000, 100_000], quick)
    const queued = await byQueued(quick ? [1, 10, 100] : [1, 10, 100, 1000, 10_000], quick)
    return [...figuresOf('websites', websites), ...figuresOf('queued changes', queued)]
  },
}

async function byWebsites(levels: number[], quick: boolean): Promise<Map<number, Taken>> {
  const found = new Map<number, Taken>()
  for (const count of levels) {
    const served = await startServed(count)
    try {
      served.pause.set(true)
      must(await served.connection.refresh.run())
      found.set(count, await measure(served, keysOf(served, Math.min(count, 100)), quick))
    } finally {
      await served.end()
    }
  }
  return found
}

async function byQueued(levels: number[], quick: boolean): Promise<Map<number, Taken>> {
  const found = new Map<number, Taken>()
  const spare = 100
  const served = await startServed(quick ? 1000 : QUEUED_OF + spare)
  try {
    served.pause.set(true)
    must(await served.connection.refresh.run())
    const keys = keysOf(served, quick ? 1000 : QUEUED_OF + spare)
    let queued = spare
    for (const count of levels) {
      for (; queued < spare + count; queued++)
        must(await served.connection.outbox.update(keys[queued] ?? '', { email: false, exclude_bots: false }))
      found.set(count, await measure(served, keys.slice(0, spare), quick))
    }
    return found
  } finally {
    await served.end()
  }
}

/** `keys`: of websites that may be changed; afterwards nothing of it waits. */
async function measure(served: Served, keys: string[], quick: boolean): Promise<Taken> {
  const handlers = websiteHandlers(served.connections)
  const event = {} as IpcMainInvokeEvent
  const around = { isOurPage: () => true, gate: { enter: () => true, leave: () => undefined }, log: () => undefined }
  const update = checked('updateWebsite', handlers.updateWebsite, around)
  const list = checked('listWebsites', handlers.listWebsites, around)
  const { outbox, refresh } = served.connection
  const words = ['bakery', 'kestrel', 'studio', 'music', 'shop', 'heron', 'yoga', 'amber', 'films', 'wren']
  const many = quick ? 10 : 100

  const enqueue = await medianOf(many, async (n) => {
    const key = keys[n % keys.length] ?? ''
    must(await update(event, { key, changes: { exclude_ips: [`192.0.2.${String(n)}`] } }))
    // The next one of this website is taken by the same edit: so it's taken back, untimed.
    return () => {
      for (const { id } of must(outbox.list({ page: 1, per_page: 100, website: key })).edits) must(outbox.undo(id))
    }
  })
  const search = await medianOf(quick ? 10 : 50, async (n) => {
    const request = commands.listWebsites.request.parse({
      search: words[n % words.length],
      per_page: 100,
      page: 1,
    })
    must((await list(event, request)) as ReturnType<typeof served.connection.view.list>)
  })
  const refreshed = await medianOf(quick ? 3 : 5, async () => void must(await refresh.run()))
  const open = await opened(served, quick ? 3 : 15)
  return { enqueue, search, refresh: refreshed, open }
}

/** Of a copy, for the file is ours alone while it's open; it's as it stands on disk, its log beside it. */
async function opened({ folder }: Served, rounds: number): Promise<number> {
  const copy = `copy-of-${FILE}`
  for (const ending of ['', '-wal']) {
    const from = join(folder, FILE + ending)
    if (existsSync(from)) copyFileSync(from, join(folder, copy + ending))
  }
  return medianOf(rounds, async () => {
    const again = await openConnection(folder, { file: copy })
    must(again.connection.view.list(commands.listWebsites.request.parse({ per_page: 100, page: 1 })))
    return () => again.connection.close()
  })
}

/** What the work answers is done afterwards, untimed. The first rounds warm up. */
async function medianOf(
  rounds: number,
  work: (n: number) => Promise<void | (() => void | Promise<void>)>,
): Promise<number> {
  const times: number[] = []
  for (let n = -2; n < rounds; n++) {
    const begun = performance.now()
    const afterwards = await work(n + 2)
    const taken = performance.now() - begun
    if (n >= 0) times.push(taken)
    if (afterwards) await afterwards()
  }
  return median(times)
}

function figuresOf(by: string, found: Map<number, Taken>): Figure[] {
  const at = [...found.keys()]
  return acts.map((name) => {
    const ms = [...found.values()].map((taken) => taken[name])
    const slope = slopeOf(at, ms)
    const last = slopeOf(at.slice(-2), ms.slice(-2))
    const inWords = slopeInWords(slope)
    const lately = slopeInWords(last) === inWords ? '' : `, ${slopeInWords(last)} at the end (${last.toFixed(2)})`
    return {
      name: `${name}, by ${by}`,
      ratio: slope,
      unit: 'slope',
      bar: null,
      of: `${inWords}${lately}: ${ms.map((one) => (one < 10 ? one.toPrecision(2) : one.toFixed(0))).join(', ')} ms at ${at.map(String).join(', ')}`,
      series: { name, by, at, ms },
    }
  })
}
