import type { Action } from './actions.ts'
import { startApp, type App } from '../app/app.ts'
import { VirtualTime } from '../machine/clock.ts'
import type { Disk } from '../disk/disk.ts'
import { giveKey } from '../app/give-key.ts'
import { SimulatedKeychain } from '../machine/keychain.ts'
import type { Answer } from '../ledger/answer.ts'
import { Ledger } from '../ledger/ledger.ts'
import type { Preview } from '../ledger/preview.ts'
import { AppRun } from '../machine/app-run.ts'
import { Seeded, seedOf } from '../machine/random.ts'
import { remoteFields } from '../service/remote-fields.ts'
import type { Fault } from '../service/faults.ts'
import { Network, type Sent } from '../service/network.ts'
import type { Quirks } from '../service/quirks.ts'
import { SimulatedService } from '../service/service.ts'
import { EditTimeline } from '../ledger/edit-timeline.ts'
import { transfer } from '../app/transfer.ts'

/** `time` and `keychain` are shared by all accounts of a computer. `connection`: the id of this account's connection. */
export interface Machine {
  time: VirtualTime
  keychain: SimulatedKeychain
  connection: string
}

export const newMachine = (): Machine => ({
  time: new VirtualTime(),
  keychain: new SimulatedKeychain(),
  connection: 'connection',
})

export interface WorldOptions {
  seed: number
  quirks: Quirks
  disk: (newKey: () => string) => Disk
  fault: (request: Sent, isWrite: boolean) => Fault | null
  websites: number
  machine: Machine
}

/** Matches every password and key of the simulation. */
export const CANARY = /(?:pw|key)-canary-\w+/

const ACCOUNT = '1'
const OTHER = '2'

export class World {
  readonly time: VirtualTime
  readonly ledger = new Ledger((text) => this.note(text))
  readonly keychain: SimulatedKeychain
  readonly connection: string
  readonly service: SimulatedService
  readonly network: Network
  readonly disk: Disk
  readonly timeline = new EditTimeline()
  app: App
  /** The new API key, until the app has it. */
  newKey: string | null = null
  /** Time of the first complete refresh. */
  completeAt: number | null = null
  readonly pauses: { from: number; until: number }[] = []
  readonly fulls: { from: number; until: number }[] = []
  /** Requests that were being sent when a process ended. The next process cannot know whether they were applied. */
  readonly interrupted: { at: number; by: string; domain: string; form: URLSearchParams }[] = []
  /** Reports of secrets in the clear on the disk after the app ended. judge/secrets.ts searches the other places. */
  readonly leaks: string[] = []
  /** Differences between exports and their imports. */
  readonly transferred: string[] = []
  /** Commands that were refused but must not be, undos with a wrong result, and last saves that were not found. */
  readonly refused: string[] = []
  readonly answers = new Map<string, Answer>()
  readonly previews: Preview[] = []
  readonly log: { at: number; text: string }[] = []
  #random: Seeded
  #runs = 0
  #ids = 0
  #newId: () => string

  constructor({ seed, quirks, disk, fault, websites, machine }: WorldOptions) {
    this.time = machine.time
    this.keychain = machine.keychain
    this.connection = machine.connection
    this.#newId = () => `id-${String(++this.#ids)}`
    this.#random = new Seeded(seedOf(seed, 1))
    this.service = new SimulatedService(() => this.time.now, quirks)
    const firstKey = `key-canary-1-${this.connection}`
    this.service.keys.set(firstKey, ACCOUNT).set('key-canary-other', OTHER)
    const random = new Seeded(seedOf(seed, 2))
    const lagging = new Seeded(seedOf(seed, 8))
    this.network = new Network({ time: this.time, service: this.service, random, lagging, fault })
    this.disk = disk(this.#newId)
    for (let n = 0; n < websites; n++) this.remote('create', n, seedOf(seed, 100 + n))
    void this.keychain.set(`${this.connection}:api-key`, { reveal: () => firstKey } as never)
    this.keychain.onUnlock(() => this.#loadKey())
    this.app = this.#start()
  }

  #start(): App {
    const { disk, network, keychain, connection, service } = this
    const appRun = new AppRun(this.time, ++this.#runs)
    const accountId = service.quirks.showsAccount ? ACCOUNT : null
    const paused = this.pauses.at(-1)?.until === Infinity
    return startApp(
      { disk, network, keychain, connection, accountId, paused, random: this.#random, newId: this.#newId },
      appRun,
    )
  }

  async restart(after: number): Promise<void> {
    const { appRun } = this.app
    appRun.end()
    const secret = CANARY.exec(this.disk.text())?.[0]
    if (secret !== undefined) this.leaks.push(`${secret} is in clear on the disk of a machine that was off`)
    await this.time.run(this.time.now + after)
    this.app = this.#start()
    for (const { state, domain, request } of this.app.edits()) {
      if (state !== 'sending' && state !== 'inDoubt') continue
      this.interrupted.push({ at: this.time.now, by: appRun.name, domain, form: new URLSearchParams(request.form) })
    }
    await this.pass(0)
  }

  /** Lets time pass, and starts the process again whenever it ends. */
  async pass(ms: number): Promise<void> {
    const until = this.time.now + ms
    for (;;) {
      await this.time.run(until, () => !this.app.appRun.alive)
      if (this.app.appRun.alive) break
      await this.restart(2_000)
    }
    this.timeline.observe(this.time.now, this.app)
    if (ms === 0) return
    if (this.app.refresh.state().seenAt !== null) this.completeAt ??= this.time.now
    this.#recordWebsites()
  }

  #recordWebsites(): void {
    for (const { key, id, domain } of this.app.websites()) this.ledger.found(key, domain, id)
  }

  note(text: string): void {
    this.log.push({ at: this.time.now, text })
  }

  async step(action: Action, run: () => void | Promise<void>): Promise<void> {
    const { appRun } = this.app
    if (appRun.isAsleep()) await this.pass(appRun.wakesAt() - this.time.now)
    this.note(JSON.stringify(action))
    // The last step may have shown a website that exists already, by removing the create that stood for it.
    this.#recordWebsites()
    await run()
    await this.pass(0)
  }

  pause(): void {
    if (this.app.pause.isOn()) return
    this.pauses.push({ from: this.time.now, until: Infinity })
    this.app.pause.set(true)
  }

  goOn(): void {
    const last = this.pauses.at(-1)
    if (last?.until === Infinity) last.until = this.time.now
    if (this.app.appRun.alive) this.app.pause.set(false)
  }

  async transfer(): Promise<void> {
    let differences: string[] | undefined
    const { app, time, keychain, connection } = this
    const random = new Seeded(seedOf(time.now, 6))
    void transfer({ app, time, keychain, connection, random }).then((found) => (differences = found))
    await this.time.run(this.time.now + 10_000, () => differences !== undefined)
    this.transferred.push(...(differences ?? ['it never ended']))
  }

  async quit(): Promise<void> {
    let closed = false
    void this.app.close().then(() => (closed = true))
    await this.time.run(this.time.now + 5_000, () => closed)
  }

  changeKey(): void {
    for (const [key, account] of [...this.service.keys]) if (account === ACCOUNT) this.service.keys.delete(key)
    this.newKey = `key-canary-${this.#newId()}-${this.connection}`
    this.service.keys.set(this.newKey, ACCOUNT)
  }

  async giveKey(): Promise<void> {
    const { newKey, app, network } = this
    if (newKey === null || !app.appRun.alive) return
    // The key may have been replaced again in the meantime.
    if ((await giveKey(app, network, newKey, true)) && this.newKey === newKey) this.newKey = null
  }

  #loadKey(): void {
    const { app } = this
    if (!app.appRun.alive) return
    void app.key.load().then(() => app.appRun.alive && app.keyChanged())
  }

  /** Lets another client write to every website once a second, up to the time `until` in milliseconds. */
  disturb(until: number, random: Seeded): void {
    if (this.time.now > until) return
    this.service.present(ACCOUNT).forEach((_, n) => this.remote('update', n, random.below(2 ** 31)))
    this.time.after(1_000, () => this.disturb(until, random))
  }

  remote(change: 'create' | 'update' | 'delete' | 'take', index: number, roll: number): void {
    const { service } = this
    const random = new Seeded(roll)
    const by = { by: 'remote', request: 0 }
    if (change === 'create' || change === 'take') {
      const domain = `site-${index % 12}.example`
      if (service.byDomain(domain) !== undefined) return
      service.add(domain, change === 'take' ? OTHER : ACCOUNT, remoteFields(random, null), by)
      return
    }
    const present = service.present(ACCOUNT)
    const website = present[index % Math.max(1, present.length)]
    if (website === undefined) return
    if (change === 'delete') service.remove(website, by)
    else service.change(website, remoteFields(random, website), by)
  }
}
