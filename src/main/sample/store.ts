import { noJournal, openJournal } from './journal.ts'
import { sampleWebsites } from './seed.ts'
import { sampleDefaults, type SampleFields, type SampleWebsite } from './website.ts'

/** A logged request, without key and password. */
interface LoggedRequest {
  method: string
  path: string
  query: string
  form: Record<string, string>
  status: number
}

/** The records of the sample service. Tests also change records here, as another client would. */
export interface SampleStore {
  /** Sorted by id, oldest first. */
  all(): readonly SampleWebsite[]
  /** Sorted by domain, character by character as the service does. */
  sortedByDomain(): readonly SampleWebsite[]
  get(id: number): SampleWebsite | undefined
  byDomain(domain: string): SampleWebsite | undefined
  create(fields: Pick<SampleFields, 'domain'> & Partial<SampleFields>): SampleWebsite
  /** Updates a website and, if it has changed, its `updated_at`. Undefined if there is no such website. */
  update(id: number, changes: Partial<SampleFields>): SampleWebsite | undefined
  /** False if there is no such website. */
  delete(id: number): boolean
  /** Returns the last 10,000 requests, oldest first. */
  requests(): readonly LoggedRequest[]
  log(request: LoggedRequest): void
}

export interface SampleStoreOptions {
  /** Number of websites, 0 to 100,000. Default 428. */
  websites?: number
  /** File that keeps the changes over a restart, as JSON lines. */
  file?: string | undefined
}

const LOG_LENGTH = 10_000

export function createSampleStore({ websites = 428, file }: SampleStoreOptions = {}): SampleStore {
  const journal = file === undefined ? noJournal : openJournal(file)
  const byId = new Map<number, SampleWebsite>()
  const idOf = new Map<string, number>()
  const requests: LoggedRequest[] = []
  let newestId = websites
  let list: SampleWebsite[] | undefined
  let domains: SampleWebsite[] | undefined

  function put(website: SampleWebsite): void {
    const before = byId.get(website.id)
    if (before !== undefined) idOf.delete(before.domain)
    byId.set(website.id, website)
    idOf.set(website.domain, website.id)
    newestId = Math.max(newestId, website.id)
    list = domains = undefined
  }

  function remove(id: number): boolean {
    const website = byId.get(id)
    if (website === undefined) return false
    byId.delete(id)
    idOf.delete(website.domain)
    list = domains = undefined
    return true
  }

  /** Applies the stored changes to the sample websites. A stored website replaces a sample website with the same domain. */
  function restore(): void {
    for (const website of sampleWebsites(websites)) put(website)
    for (const [id, website] of journal.entries) {
      remove(id)
      newestId = Math.max(newestId, id)
      if (website === null) continue
      const namesake = idOf.get(website.domain)
      if (namesake !== undefined) remove(namesake)
      put(website)
    }
  }

  restore()

  return {
    all: () => (list ??= [...byId.values()].sort((one, other) => one.id - other.id)),
    sortedByDomain: () => (domains ??= [...byId.values()].sort((one, other) => (one.domain < other.domain ? -1 : 1))),
    get: (id) => byId.get(id),
    byDomain(domain) {
      const id = idOf.get(domain)
      return id === undefined ? undefined : byId.get(id)
    },
    create(fields) {
      const now = new Date().toISOString()
      const id = newestId + 1
      const website = { ...sampleDefaults, ...fields, id, favorited_at: null, created_at: now, updated_at: now }
      journal.append(id, website)
      put(website)
      return website
    },
    update(id, changes) {
      const before = byId.get(id)
      if (before === undefined) return undefined
      const after = { ...before, ...changes }
      if (Object.entries(after).every(([name, value]) => before[name as keyof SampleWebsite] === value)) return before
      const website = { ...after, updated_at: timestampAfter(before.updated_at) }
      journal.append(id, website)
      put(website)
      return website
    },
    delete(id) {
      if (!byId.has(id)) return false
      journal.append(id, null)
      return remove(id)
    },
    requests: () => requests,
    log(request) {
      requests.push(request)
      if (requests.length > LOG_LENGTH) requests.shift()
    },
  }
}

/** Returns the current time, but at least one millisecond after `than`. */
const timestampAfter = (than: string): string => new Date(Math.max(Date.now(), Date.parse(than) + 1)).toISOString()
