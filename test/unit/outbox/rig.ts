import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { createBulkOutcome } from '../../../src/main/bulk/outcome.ts'
import type { BulkChangeStore } from '../../../src/main/bulk/ports.ts'
import { createPresets } from '../../../src/main/bulk/presets.ts'
import { createBudget } from '../../../src/main/connectivity/budget.ts'
import { createReach } from '../../../src/main/connectivity/reach.ts'
import type { Edit } from '../../../src/main/outbox/model/edit.ts'
import { createReadCache, storedRecordReader } from '../../../src/main/outbox/remote/read-cache.ts'
import { createOutbox } from '../../../src/main/outbox/outbox.ts'
import type { Clock, Random, Sealer } from '../../../src/main/outbox/ports.ts'
import { createRefresh } from '../../../src/main/replica/refresh.ts'
import { createView } from '../../../src/main/replica/view.ts'
import type { Service } from '../../../src/main/service/port.ts'
import * as requests from '../../../src/main/service/requests.ts'
import { openStore } from '../../../src/main/storage/store.ts'
import { fail, ok, type ErrorCode, type Result } from '../../../src/shared/result.ts'
import { listQuerySchema } from '../../../src/shared/website.ts'
import { databaseFolder } from '../../database-folder.ts'
import { readHere } from '../../read-here.ts'
import { settled, type FakeClock } from './clock.ts'
import { SimulatedService } from './simulated-service.ts'

/** Returns the value of a result. Throws if the result is an error. */
export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code} ${JSON.stringify(result.error.fields ?? {})}`)
  return result.value
}

export { draft } from '../draft.ts'

export const codeOf = (result: Result<unknown>): ErrorCode | null => (result.ok ? null : result.error.code)

/** Returns a pending create of the website `k<n>`, as the store expects it. */
export const waitingCreate = (n = 0): Omit<Edit, 'seq'> => ({
  id: `e${String(n)}`,
  website: `k${String(n)}`,
  kind: 'create',
  settings: { privacy: 1, email: false, exclude_bots: true, exclude_ips: [], exclude_params: [] },
  sealed: null,
  base: { settings: {} },
  standing: { state: 'queued' },
  attempts: 0,
  sent: null,
  changedAt: 0,
})

/** Reverses bytes instead of encrypting. Unsealing fails with `failure`, and with `password-missing` for another domain. */
export class FakeSealer implements Sealer {
  failure: ErrorCode | null = null
  seal(plain: string, domain: string): Promise<Result<Uint8Array>> {
    return Promise.resolve(ok(Buffer.from(`${domain} ${plain}`).reverse()))
  }
  unseal(sealed: Uint8Array, domain: string): Promise<Result<string>> {
    if (this.failure !== null) return Promise.resolve(fail(this.failure))
    const [sealedFor, plain = ''] = Buffer.from(sealed).reverse().toString().split(/ (.*)/s)
    return Promise.resolve(sealedFor === domain ? ok(plain) : fail('password-missing'))
  }
  /** Makes unsealing wait. Each call of the returned function lets the latest call continue. */
  hold(): () => void {
    const waiting: (() => void)[] = []
    const { unseal } = this
    this.unseal = async (sealed, domain) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return unseal.call(this, sealed, domain)
    }
    return () => waiting.pop()?.()
  }
}

/** The start of the service's clock. */
const START_TIME = Date.parse('2026-01-01T00:00:00Z')

let ids = 0
/** Predictable values: numbered ids, and always the fraction 0.5. */
export const random: Random = { id: () => `id-${String(++ids)}`, fraction: () => 0.5 }

/** Connects the parts as the app does. The database is real, in memory or in `file`. */
export function startConnection({
  service: network,
  clock,
  sealer = new FakeSealer(),
  file = ':memory:',
  bulkChanges = (kept) => kept,
}: RigOptions) {
  const store = must(openStore(file))
  if ('now' in network) network.now = () => START_TIME + clock.monotonic()
  const readCache = createReadCache(clock, storedRecordReader(store))
  const raw = readCache.noting(network)
  const budget = createBudget({ clock })
  const forUser = budget.wrap(raw, 'user')
  const reach = createReach({ service: forUser, budget, clock, random })
  const service = reach.wrap(budget.wrap(raw, 'replay'))
  const identity = { id: 'here', address: 'https://a.example', account: '1' }
  const outbox = createOutbox({
    ...{ identity, store, service, requests, sealer, clock, random, connectivity: reach, readCache },
    serviceForUser: reach.wrap(forUser),
    readImport: readHere,
  })
  const presets = createPresets({ store, newId: random.id })
  const outcome = createBulkOutcome({ store: bulkChanges(store), outbox, clock })
  const view = createView({ store, statusOf: outbox.statusOf, differsFrom: presets.differsFrom })
  const refresh = createRefresh({
    newest: readCache.newest,
    store,
    service: reach.wrap(budget.wrap(raw, 'refresh')),
    connectivity: reach,
    clock,
    keepDays: () => 365,
  })
  outbox.start()
  return {
    store,
    budget,
    reach,
    outbox,
    view,
    presets,
    outcome,
    refresh,
    list: (search = '') => must(view.list({ ...listQuerySchema.parse({ search, per_page: 100 }), page: 1 })).websites,
    edits: () => must(outbox.list({ page: 1, per_page: 100 })).edits,
    /** Returns the results of the latest 100 edits, of one website or of all, latest first. */
    history: (website?: string) =>
      must(outbox.activity({ results: true, limit: 100, ...(website && { website }) })).entries.flatMap(
        ({ edit }) => edit ?? [],
      ),
    remote: () => must(outbox.activity({ author: 'remote', limit: 100 })).entries,
    /** Makes the service unreachable, as the operating system also reports. */
    async offline(): Promise<void> {
      if (network instanceof SimulatedService) network.unreachable = true
      reach.hint(false)
      await settled()
    },
    /** Makes the service reachable, and lets `ms` milliseconds pass. */
    async online(ms = 5_000): Promise<void> {
      if (network instanceof SimulatedService) network.unreachable = false
      reach.retryNow()
      if ('advance' in clock) await clock.advance(ms)
    },
    /** Returns the key of the first website in the list whose domain contains `domain`. */
    keyOf(domain: string): string {
      const found = must(view.list({ ...listQuerySchema.parse({ search: domain }), page: 1 })).websites[0]
      if (found === undefined) throw new Error(`${domain} isn't in the list`)
      return found.key
    },
    async close() {
      refresh.stop()
      await outbox.stop()
      reach.stop()
      store.close()
    },
  }
}

export interface RigOptions {
  service: Service
  clock: Clock | FakeClock
  sealer?: Sealer
  file?: string
  bulkChanges?: (kept: BulkChangeStore) => BulkChangeStore
}

/** Creates a folder for each test. The returned function returns the path of a file in the folder of the running test. */
export function useFolder(): (file?: string) => string {
  let folder = ''
  beforeEach(() => void (folder = databaseFolder()))
  afterEach(() => rmSync(folder, { recursive: true }))
  return (file = 'connection.db') => join(folder, file)
}
