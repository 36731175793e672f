/**
 * Measures a queue of `--edits N` updates, default 10000 (docs/proof.md#simulation). The edits are made offline, survive a
 * restart of the app, are listed page by page, and are delivered to the simulated service over the real SQLite.
 * Prints processor times, the memory after a garbage collection, and the number of requests. Exit status 1: a website is wrong,
 * an edit did not take exactly one write, or memory grows with the queue or with the delivered edits.
 */
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { importEdits } from '../../src/main/outbox/transfer/import.ts'
import { readImport } from '../../src/main/outbox/transfer/import-read.ts'
import type { Result } from '../../src/shared/result.ts'
import { listQuerySchema } from '../../src/shared/website.ts'
import { startApp, type App } from './app/app.ts'
import { VirtualTime } from './machine/clock.ts'
import { disks } from './disk/disk.ts'
import { SimulatedKeychain } from './machine/keychain.ts'
import { AppRun } from './machine/app-run.ts'
import { Seeded } from './machine/random.ts'
import { Network } from './service/network.ts'
import { plainQuirks } from './service/quirks.ts'
import { SimulatedService } from './service/service.ts'

const { values } = parseArgs({ options: { edits: { type: 'string', default: '10000' }, queue: { type: 'boolean' } } })
const EDITS = Number(values.edits)
const PAGE = 100
const PAGES = Array.from({ length: Math.ceil(EDITS / PAGE) }, (_, n) => n + 1)
const HOUR = 3_600_000
/** Limit for the change of memory between 10% and 100% delivered, in bytes; a pending edit takes about 800. */
const GROWTH = 2e6 + 200 * EDITS

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const time = new VirtualTime()
const service = new SimulatedService(() => time.now, { ...plainQuirks, limit: 600 })
service.keys.set('key', '1')
for (let n = 0; n < EDITS; n++) service.add(`site-${n}.example`, '1', { email: 0 }, { by: 'remote', request: 0 })
const network = new Network({ time, service, random: new Seeded(1), lagging: new Seeded(2), fault: () => null })
const keychain = new SimulatedKeychain()
void keychain.set('connection:api-key', { reveal: () => 'key' } as never)
let ids = 0
let runs = 0
const newId = () => `id-${++ids}`
const disk = disks.sqlite(newId)
const random = new Seeded(2)
const requests = { reads: 0, writes: 0 }

process.exitCode = await prove()
disk.erase()

async function prove(): Promise<number> {
  let app = start()
  await time.run(HOUR, () => app.refresh.state().seenAt !== null)
  const keys = PAGES.flatMap((page) => {
    const query = { ...listQuerySchema.parse({ per_page: PAGE, sort: 'asc' }), page }
    return must(app.view.list(query)).websites.map(({ key }) => key)
  })
  network.weather = 'offline'
  const taken: number[] = []
  for (const key of keys) {
    const begun = processor()
    must(await app.outbox.update(key, { email: true }))
    taken.push(processor() - begun)
  }
  console.log(`taken: ${inMs(sum(taken) / keys.length)} each, ${inMs(Math.max(...taken))} at most`)
  let closed = false
  void app.close().then(() => (closed = true))
  await time.run(time.now + 5_000, () => closed)
  app.appRun.end()

  const opening = processor()
  app = start()
  console.log(`opened: ${inMs(processor() - opening)}, ${app.outbox.counts().waiting} wait`)
  const listed = PAGES.map((page) => {
    const begun = processor()
    must(app.outbox.list({ page, per_page: PAGE }))
    return processor() - begun
  })
  console.log(`listed: ${inMs(Math.max(...listed))} at most for a page of ${PAGE}`)

  await importElsewhere(app)

  network.weather = 'fair'
  trim()
  Object.assign(requests, { reads: 0, writes: 0 })
  const begun = time.now
  const left = () => app.outbox.counts().waiting
  const memory: number[] = []
  for (const part of [0, 0.1, 0.25, 0.5, 0.75, 1]) {
    let steps = 0
    await time.run(time.now + 1000 * HOUR, () => {
      if (++steps % 1000 === 0) trim()
      return EDITS - left() >= EDITS * part
    })
    trim()
    const { reads, writes } = requests
    const minutes = Math.round((time.now - begun) / 60_000)
    const held = heap()
    memory.push(held)
    console.log(`delivered: ${EDITS - left()}, ${inMB(held)}, ${reads} reads, ${writes} writes, ${minutes} min`)
  }
  // Leaves out the first measurement, which includes compiling the code.
  const later = memory.slice(1)
  const growth = Math.max(...later) - Math.min(...later)
  const wrong = service.websites.filter(({ states }) => states.at(-1)?.fields.email !== 1).length
  console.log(`edits=${EDITS} wrong=${wrong} growth=${inMB(growth)} (at most ${inMB(GROWTH)})`)
  app.appRun.end()
  return wrong === 0 && requests.writes === EDITS && growth <= GROWTH ? 0 : 1
}

async function importElsewhere(app: App): Promise<void> {
  let text = ''
  void app.outbox.exportQueue().then((exported) => (text = must(exported).text))
  await time.run(time.now + HOUR, () => text !== '')
  const other = disks.sqlite(newId)
  const store = other.open()
  const { id, address, accountId: account } = app.record
  const file = must(readImport(text))
  const begun = processor()
  const { imported } = must(importEdits(store, newId, { id, address, account }, file))
  const took = processor() - begun
  store.close()
  other.erase()
  console.log(`imported: ${imported.added} of ${(text.length / 1e6).toFixed(1)} MB in one transaction of ${inMs(took)}`)
}

function start() {
  const world = { disk, network, keychain, connection: 'connection', accountId: '1', paused: false, random, newId }
  return startApp(world, new AppRun(time, ++runs))
}

/** Counts the requests, and drops the records that the service and the network keep, because they are not the app's memory. */
function trim(): void {
  for (const { method } of network.sent) requests[method === 'GET' ? 'reads' : 'writes'] += 1
  network.sent.length = 0
  service.readings.length = 0
  for (const { states } of service.websites) states.splice(0, states.length - 1)
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}

/** Returns the processor time of this thread, in milliseconds. */
function processor(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Returns the used memory in bytes, including buffers. */
function heap(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function inMB(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

function sum(numbers: number[]): number {
  return numbers.reduce((so, number) => so + number, 0)
}

function inMs(ms: number): string {
  return `${ms.toFixed(2)} ms`
}
