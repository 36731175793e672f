import { listQuerySchema } from '../../src/shared/website.ts'
import { startApp, type App } from '../model/app.ts'
import { VirtualTime } from '../model/clock.ts'
import { disks } from '../model/disk/disk.ts'
import { ModelKeychain } from '../model/keychain.ts'
import { Life } from '../model/life.ts'
import { Seeded } from '../model/random.ts'
import type { Fault } from '../model/service/faults.ts'
import { Network, type Sent } from '../model/service/network.ts'
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
/** Records on a page. */
const PAGE = 100

/** What goes wrong with a write, by turns: its answer is lost, or it is itself; soon, or by a time-out. */
const FAULTS: readonly Fault[] = [
  { kind: 'lostAnswer', as: 'reset' },
  { kind: 'lostRequest', as: 'reset' },
  { kind: 'lostAnswer', as: 'timeout' },
  { kind: 'lostRequest', as: 'timeout' },
]
/** Of so many writes one goes wrong. */
const EACH = 8
/** After which what was given up is looked for once (sync.md, the row "zombie"), and some more. */
const LATER = 15 * 60_000

/** What was edited without a connection is delivered, in virtual time: requests are counted, nothing is timed. */
export const drain: Bench = {
  name: 'drain',
  about:
    `${EDITS} changes of ${TOUCHED} among ${WEBSITES} websites, made offline, are delivered to the simulated service, which ` +
    `takes ${LIMIT} requests a minute (virtual time). Requests against the least that the promises allow: a write for each ` +
    'website, and a look at each that is at most 60 seconds old as its write leaves. And once more where one write in ' +
    `${EACH} goes wrong: its answer is lost, or it is itself. Then the least has those that were lost too, a look at ` +
    'each that is in doubt, and ten minutes later one at those of which a request was given up.',
  run: async () => [...(await deliver('without a fault', false)), ...(await deliver('with faults', true))],
}

/**
 * Each write that was lost, and one for each website. In a minute in which one request is a page of a hundred, the others are
 * writes; a look at one in doubt may be such a page; and those that were given up may be looked for together, by as many pages
 * as the list has.
 */
function leastOf(sent: readonly Sent[]): number {
  const doubted = sent.filter(({ fault }) => fault !== null)
  const lost = doubted.filter(({ fault }) => fault?.kind === 'lostRequest')
  const writes = TOUCHED + lost.length
  const givenUp = new Set(lost.map(({ path }) => path)).size
  return writes + Math.max(doubted.length, Math.ceil(writes / (LIMIT - 1))) + Math.min(givenUp, WEBSITES / PAGE)
}

async function deliver(how: string, faulty: boolean): Promise<Figure[]> {
  const time = new VirtualTime()
  const service = new SimulatedService(() => time.now, { ...plainQuirks, limit: LIMIT })
  service.keys.set('key', '1')
  for (let n = 0; n < WEBSITES; n++) service.add(`site-${n}.example`, '1', { email: 0 }, { by: 'remote', request: 0 })
  let written = 0
  const fault = (_sent: Sent, isWrite: boolean): Fault | null =>
    faulty && isWrite && ++written % EACH === 0 ? (FAULTS[(written / EACH) % FAULTS.length] ?? null) : null
  const network = new Network({ time, service, random: new Seeded(1), lagging: new Seeded(2), fault })
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
    const minutes = (time.now - begun) / 60_000
    if (app.outbox.counts().waiting > 0) throw new Error('not all was delivered')
    if (faulty) await time.run(time.now + LATER)
    // A probe that finds nobody there costs the service nothing; what was lost on its way is counted.
    const sent = network.sent.slice(before).filter(({ handledAt, fault }) => handledAt !== null || fault !== null)
    const writes = sent.filter(({ method }) => method !== 'GET').length
    const refused = sent.filter(({ handledWith }) => handledWith === 429).length
    const least = leastOf(sent)
    const wrong = faulty ? ` (${String(sent.filter(({ fault }) => fault !== null).length)} went wrong)` : ''
    return [
      {
        name: `drain, ${EDITS} changes of ${TOUCHED} websites, ${how}: the least count of requests`,
        ratio: sent.length / least,
        bar: { most: 1.05 },
        of: `${writes} writes${wrong} and ${sent.length - writes} reads to ${least}, in ${minutes.toFixed(1)} min`,
      },
      { name: `drain, ${how}: answers 429`, ratio: refused, bar: { most: 0 }, of: `${refused} of ${sent.length}` },
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
