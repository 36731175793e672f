import { listQuerySchema } from '../../src/shared/website.ts'
import { startApp, type App } from '../model/app.ts'
import { VirtualTime } from '../model/clock.ts'
import { disks } from '../model/disk/disk.ts'
import { ModelKeychain } from '../model/keychain.ts'
import { Life } from '../model/life.ts'
import { Seeded } from '../model/random.ts'
import { Network } from '../model/service/network.ts'
import { plainQuirks } from '../model/service/quirks.ts'
import { SimulatedService } from '../model/service/service.ts'
import { must } from './connection.ts'
import type { Bench, Figure } from './figure.ts'

const HOUR = 3_600_000
const WEBSITES = 500
const TOUCHED = 300
const EDITS = 1000
/** Requests that the service takes in a minute, and tells. */
const LIMIT = 60

/**
 * The least that the promises allow: one write for each website, and before each a look that is at most 60 s old
 * (sync.md, "Life of an edit"). In a minute in which one request is a page of a hundred, the others are writes.
 */
const LEAST = TOUCHED + Math.ceil(TOUCHED / (LIMIT - 1))

/** What was edited without a connection is delivered, in virtual time: requests are counted, nothing is timed. */
export const drain: Bench = {
  name: 'drain',
  about:
    `${EDITS} changes of ${TOUCHED} among ${WEBSITES} websites, made offline, are delivered to the simulated service, which ` +
    `takes ${LIMIT} requests a minute (virtual time). Requests against the least that the promises allow: a write for each ` +
    'website, and a look at each that is at most 60 seconds old as its write leaves.',
  run: () => deliver(),
}

async function deliver(): Promise<Figure[]> {
  const time = new VirtualTime()
  const service = new SimulatedService(() => time.now, { ...plainQuirks, limit: LIMIT })
  service.keys.set('key', '1')
  for (let n = 0; n < WEBSITES; n++) service.add(`site-${n}.example`, '1', { email: 0 }, { by: 'remote', request: 0 })
  const network = new Network({ time, service, random: new Seeded(1), fault: () => null })
  const keychain = new ModelKeychain()
  await keychain.set('connection:api-key', { reveal: () => 'key' } as never)
  let ids = 0
  const newId = () => `id-${++ids}`
  const random = new Seeded(2)
  const disk = disks.sqlite(newId)
  const app = startApp({ disk, network, keychain, accountId: '1', paused: false, random, newId }, new Life(time, 1))
  try {
    await time.run(HOUR, () => app.refresh.state().seenAt !== null)
    network.weather = 'offline'
    await edit(app, random)
    // Long enough for the budget of the refresh to be full again.
    await time.run(time.now + HOUR)

    const before = network.sent.length
    network.weather = 'fair'
    const begun = time.now
    await time.run(begun + 10 * HOUR, () => app.outbox.counts().waiting === 0)
    const sent = network.sent.slice(before).filter(({ handledAt }) => handledAt !== null)
    const writes = sent.filter(({ method }) => method !== 'GET').length
    const refused = sent.filter(({ handledWith }) => handledWith === 429).length
    const minutes = (time.now - begun) / 60_000
    if (app.outbox.counts().waiting > 0) throw new Error('not all was delivered')
    return [
      {
        name: `drain, ${EDITS} changes of ${TOUCHED} websites: the least count of requests`,
        ratio: sent.length / LEAST,
        bar: { most: 1.05 },
        of: `${writes} writes and ${sent.length - writes} reads to ${LEAST}, in ${minutes.toFixed(1)} min`,
      },
      { name: 'drain: answers 429', ratio: refused, bar: { most: 0 }, of: `${refused} of ${sent.length}` },
    ]
  } finally {
    app.life.end()
    disk.erase()
  }
}

/** Changes that make a difference each, of websites here and there in the list. */
async function edit(app: App, random: Seeded): Promise<void> {
  const keys: string[] = []
  for (let page = 1; keys.length < WEBSITES; page++) {
    const query = { ...listQuerySchema.parse({ per_page: 100, sort: 'asc' }), page }
    keys.push(...must(app.view.list(query)).websites.map(({ key }) => key))
  }
  const touched = keys
    .map((key) => ({ key, at: random.fraction() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, TOUCHED)
  for (let n = 0; n < EDITS; n++) {
    const { key } = touched[n % TOUCHED] ?? { key: '' }
    must(await app.outbox.update(key, { exclude_ips: [`192.0.2.${String(n % 250)}`, `198.51.100.${String(n % 249)}`] }))
  }
}
