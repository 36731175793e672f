/** The scene in which the edits of a user meet those of another client (overwrites.ts, test/bench/delivery.ts). */
import type { Result } from '../../src/shared/result.ts'
import { listQuerySchema } from '../../src/shared/website.ts'
import { startApp, type App } from './app/app.ts'
import { VirtualTime } from './machine/clock.ts'
import { disks } from './disk/disk.ts'
import { SimulatedKeychain } from './machine/keychain.ts'
import { AppRun } from './machine/app-run.ts'
import { Seeded } from './machine/random.ts'
import { Network, type Sent } from './service/network.ts'
import { plainQuirks } from './service/quirks.ts'
import { latest, linesOf, type Website } from './service/records.ts'
import { SimulatedService } from './service/service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Number of lines that the other client keeps in a list. */
const LINES = 30

export class Scene {
  readonly time = new VirtualTime(100_000_000)
  readonly service = new SimulatedService(() => this.time.now, { ...plainQuirks, limit: 60 })
  readonly network: Network
  readonly app: App
  readonly random: Seeded
  #lines = 0
  #ids = 0

  constructor(websites: number, seed: number) {
    this.random = new Seeded(seed)
    const { time, service } = this
    service.keys.set('key', '1')
    for (let n = 0; n < websites; n++) service.add(`site-${n}.example`, '1', { email: 0 }, { by: 'remote', request: 0 })
    this.network = new Network({
      time,
      service,
      random: new Seeded(seed + 1),
      lagging: new Seeded(seed + 2),
      fault: () => null,
    })
    const keychain = new SimulatedKeychain()
    void keychain.set('connection:api-key', { reveal: () => 'key' } as never)
    const newId = () => `id-${++this.#ids}`
    const world = { disk: disks.memory(newId), network: this.network, keychain, connection: 'connection' }
    this.app = startApp(
      { ...world, accountId: '1', paused: false, random: new Seeded(seed + 3), newId },
      new AppRun(time, 1),
    )
  }

  async keys(): Promise<string[]> {
    await this.time.run(HOUR, () => this.app.refresh.state().seenAt !== null)
    return Array.from({ length: Math.ceil(this.service.websites.length / 100) }).flatMap((_, n) => {
      const query = { ...listQuerySchema.parse({ per_page: 100, sort: 'asc' }), page: n + 1 }
      return must(this.app.view.list(query)).websites.map(({ key }) => key)
    })
  }

  disturb(): void {
    for (const website of this.service.websites) {
      const before = linesOf(latest(website).fields.exclude_ips)
      const exclude_ips = [...before, this.#newLine('192')].slice(-LINES).join('\n')
      this.service.change(website, { exclude_ips }, { by: 'remote', request: 0 })
    }
    this.time.after(1_000, () => this.disturb())
  }

  async edit(key: string): Promise<void> {
    const shown = this.app.view.get(key)?.exclude_ips ?? []
    must(await this.app.outbox.update(key, { exclude_ips: [...shown, this.#newLine('10')] }))
  }

  /**
   * Waits until nothing is pending, ends the app, and counts the requests from index `from` on. `refused`: those answered with
   * 429; `least`: the least possible number of requests; `overwritten`: the lines of the other client that our writes removed.
   */
  async figures(from: number) {
    await this.time.run(this.time.now + 100 * HOUR, () => this.app.outbox.counts().waiting === 0)
    const sent = this.network.sent.slice(from)
    const writes = sent.filter(({ method }) => method === 'PUT').length
    const overwritten = this.service.websites.reduce((sum, website) => sum + overwrittenIn(website), 0)
    this.app.appRun.end()
    const refused = sent.filter(({ handledWith }) => handledWith === 429).length
    const least = writes + leastPages(this.service.websites, sent)
    return { writes, reads: sent.length - writes, refused, overwritten, least }
  }

  #newLine(net: string): string {
    const n = ++this.#lines
    return `${net}.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
  }
}

/** Returns the least number of list pages to read so that each write follows within 15 seconds of its page. */
function leastPages(websites: readonly Website[], sent: readonly Sent[]): number {
  let pages = 0
  let current = { page: -1, at: 0 }
  for (const { method, path, at } of sent) {
    if (method !== 'PUT') continue
    const page = Math.floor(websites.findIndex(({ number }) => path.endsWith(`/${number}`)) / 100)
    if (page === current.page && at - current.at <= 15_000) continue
    current = { page, at }
    pages += 1
  }
  return pages
}

/** Returns how many lines of the other client our writes removed. Lines that the other client removed itself do not count. */
function overwrittenIn({ states }: Website): number {
  return states.reduce((sum, state, index) => {
    const before = states[index - 1]
    if (before === undefined || state.by === 'remote') return sum
    const kept = new Set(linesOf(state.fields.exclude_ips))
    const gone = linesOf(before.fields.exclude_ips).filter((line) => line.startsWith('192') && !kept.has(line))
    return sum + gone.length
  }, 0)
}

/** Makes a thousand edits of 300 of 500 websites offline, delivers them, and returns {@link Scene.figures}. */
export async function longDelivery() {
  const scene = new Scene(500, 2)
  const keys = await scene.keys()
  scene.network.weather = 'offline'
  const chosen = keys.toSorted(() => scene.random.fraction() - 0.5).slice(0, 300)
  for (const key of chosen) await scene.edit(key)
  for (let n = chosen.length; n < 1_000; n++) await scene.edit(scene.random.pick(chosen))
  await scene.time.run(scene.time.now + 5 * MINUTE)
  scene.disturb()
  scene.network.weather = 'fair'
  scene.app.outbox.sendNow()
  return scene.figures(scene.network.sent.length)
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}
