import type { Account } from '../../../src/shared/account.ts'
import { comparableDomain } from '../../../src/shared/domain.ts'
import type { WebsiteRecord } from '../../../src/shared/website.ts'
import { ok, type Result } from '../../../src/shared/result.ts'
import type { AcknowledgmentStore, Website, WebsiteStore } from '../../../src/main/outbox/ports.ts'
import { noteListedRecord } from '../../../src/main/outbox/late-writes/note-read.ts'
import { remoteDetail } from '../../../src/main/storage/remote-changes.ts'
import type { ActivityLog, ReplicaStore, ViewStore } from '../../../src/main/replica/ports.ts'
import { addEntry } from './memory-edits.ts'
import { frozen, type Row, type Tables } from './tables.ts'

type MemoryWebsites = WebsiteStore & Omit<ViewStore, 'read' | 'editsOf'>

/** Higher than the rank of every website with an id, because websites that are not created yet count as the newest. */
const UNCREATED = 2 ** 52

const toWebsite = ({ key, id, domain, record }: Row): Website => ({
  key,
  id,
  domain,
  record,
})

export function memoryWebsites(tables: Tables): MemoryWebsites {
  const all = () => [...tables.websites.values()]
  /** False for a website without edits whose domain a pending create asks for: the list shows the row of the create only. */
  const isShown = ({ key, id, domain }: Row) =>
    id === null ||
    !all().some((other) => other.id === null && other.domain === domain) ||
    [...tables.edits.values()].some(({ website }) => website === key)
  const matching = (search: string) => {
    const words = search.toLowerCase().split(/\s+/)
    return all().filter((row) => isShown(row) && words.every((word) => row.domain.toLowerCase().includes(word)))
  }
  const sorted = ({ search, sort_by, sort }: Parameters<MemoryWebsites['keys']>[0]) => {
    const rows = matching(search).toSorted((a, b) =>
      sort_by === 'domain'
        ? compare(a.domain, b.domain)
        : a.rank - b.rank || compare(a.domain, b.domain) || compare(a.key, b.key),
    )
    return sort === 'desc' ? rows.reverse() : rows
  }
  /** The last result of `changes`. Each call returns a new number, because anything may have been written since. */
  let asked = 0
  return {
    website(key) {
      const row = tables.websites.get(key)
      return row === undefined ? null : toWebsite(row)
    },
    websitesOfDomain: (domain) =>
      all()
        .filter((row) => row.domain === domain)
        .map(toWebsite),
    websitesOfAnySpelling: (domain) =>
      all()
        .filter((row) => comparableDomain(row.domain) === comparableDomain(domain))
        .map(toWebsite),
    websiteOfId(id) {
      const row = all().find((one) => one.id === id)
      return row === undefined ? null : toWebsite(row)
    },
    addWebsite(key, domain) {
      const rank = 1 + Math.max(UNCREATED, ...all().map((row) => row.rank))
      tables.websites.set(key, frozen({ key, id: null, rank, domain, record: null, run: 0 }))
    },
    renameWebsite(key, domain) {
      const row = tables.websites.get(key)
      if (row?.id === null) tables.websites.set(key, frozen({ ...row, domain }))
    },
    removeWebsite: (key) => removeRow(tables, key),
    websites: (query, offset, limit) =>
      sorted(query)
        .slice(offset, offset + limit)
        .map(toWebsite),
    keys: (query) => sorted(query).map(({ key }) => key),
    domains: () =>
      matching('')
        .filter((row) =>
          [...tables.edits.values()].every(({ website, kind }) => website !== row.key || kind !== 'delete'),
        )
        .map(({ key, domain }) => ({ key, domain }))
        .toSorted((a, b) => compare(a.domain, b.domain)),
    facts(key) {
      const row = tables.websites.get(key)
      const edited = [...tables.edits.values()].some(({ website }) => website === key)
      return row === undefined ? null : { domain: row.domain, facts: row.record ?? {}, edited }
    },
    localOf: () => null,
    changes: () => ++asked,
    matching: (search) => matching(search).length,
    total: () => matching('').length,
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function removeRow(tables: Tables, key: string): void {
  tables.websites.delete(key)
  for (const edit of tables.edits.values()) if (edit.website === key) tables.edits.delete(edit.id)
}

/** The replica as in storage/replica.ts. Marks count the acknowledgments of this process. */
export function memoryReplica(
  tables: Tables,
  noted: Parameters<typeof noteListedRecord>[0],
  newKey: () => string,
): Omit<ReplicaStore, 'read' | keyof ActivityLog> & AcknowledgmentStore {
  let now = 0
  const acknowledgedAt = new Map<string, number>()
  /** The ids of websites that we have deleted. If a stale list shows one again, that is no remote change. */
  const ghosts = () => (tables.meta.get('ghosts') as readonly string[] | undefined) ?? []
  const addGhost = (id: string) => tables.meta.set('ghosts', [...ghosts().filter((each) => each !== id), id])
  /** True if a write of the website was acknowledged since the mark, so that a read may show an older state. */
  const isStale = (id: string, mark: number) => (acknowledgedAt.get(id) ?? -1) >= mark
  const rows = () => [...tables.websites.values()]
  const byId = (id: string) => rows().find((row) => row.id === id)
  const put = (row: Row) => void tables.websites.set(row.key, frozen({ ...row }))
  const edits = (key: string) => [...tables.edits.values()].filter(({ website }) => website === key)
  const run = () => (tables.meta.get('run') as number | undefined) ?? 0
  const completeAt = () => (tables.meta.get('completeAt') as number | undefined) ?? null
  const done = <T>(work: () => T): Result<T> => tables.transaction(() => ok(work()))

  const isBeingCreated = ({ domain }: WebsiteRecord) =>
    rows().some(
      (row) =>
        row.domain === domain &&
        row.id === null &&
        edits(row.key).some(({ kind, standing }) => kind === 'create' && /sending|inDoubt/.test(standing.state)),
    )

  /**
   * Stores a record that a read has shown, unless the record is new and a create of its domain is being sent or in doubt. Returns
   * the website's key if the record is new or has changed, otherwise null.
   */
  function saveRead(record: WebsiteRecord, ofRun: number, rank: number, at: number): string | null {
    const known = byId(record.id)
    if (known === undefined) {
      if (isBeingCreated(record)) return null
      const key = newKey()
      put({ key, id: record.id, rank, domain: record.domain, record, run: ofRun })
      const isOfDomain = ({ kind, domain }: { kind: string; domain: string }) =>
        kind === 'create' && domain === record.domain
      const isOurs =
        [...tables.lateWrites.values()].some(isOfDomain) ||
        rows().some((row) =>
          edits(row.key).some(
            ({ kind, sent, note }) =>
              isOfDomain({ kind, domain: row.domain }) && (sent !== null || note?.possiblySent !== undefined),
          ),
        )
      const isGhost = acknowledgedAt.has(record.id) || ghosts().includes(record.id)
      if (isGhost) addGhost(record.id)
      if (!isOurs && !isGhost) recordRemote('added', { key, domain: record.domain }, [null, record], at)
      return key
    }
    const isNew = JSON.stringify(known.record) !== JSON.stringify(record)
    if (!isNew && known.rank === rank && known.run === ofRun) return null
    put({ ...known, rank, domain: record.domain, record, run: ofRun })
    if (!noteListedRecord(noted, known.key, record) && isNew) recordRemote('changed', known, [known.record, record], at)
    return isNew ? known.key : null
  }

  function recordRemote(
    kind: 'added' | 'changed' | 'deleted',
    { key: website, domain }: Pick<Row, 'key' | 'domain'>,
    [before, after]: [WebsiteRecord | null, WebsiteRecord | null],
    at: number,
  ): void {
    const remote = completeAt() === null ? null : remoteDetail(before, after)
    if (remote !== null) addEntry(tables, { website, domain, kind, at, remote })
  }

  return {
    mark: () => now,
    beginRun: () => done(() => (tables.meta.set('run', run() + 1), run())),
    savePage: ({ run: ofRun, mark, position, at = 0, websites }) =>
      done(() =>
        websites.flatMap((record, index) => {
          if (isStale(record.id, mark)) return []
          const placed = position === null ? (byId(record.id)?.rank ?? 0) : position + index
          return saveRead(record, ofRun, rankOf(record.id) ?? placed, at) ?? []
        }),
      ),
    missing: (ofRun) =>
      rows()
        .filter(({ key, id, run: seen }) => id !== null && seen < ofRun && edits(key).length === 0)
        .map(({ key, id }) => ({ key, id: id as string })),
    removeMissing: (key, mark, at = 0) =>
      done(() => {
        const row = tables.websites.get(key)
        const id = row?.id
        if (row === undefined || id == null || isStale(id, mark) || edits(key).length > 0) return false
        if ([...tables.lateWrites.values()].some(({ website, kind }) => website === key && kind === 'delete'))
          return false
        removeRow(tables, key)
        if (!ghosts().includes(id)) recordRemote('deleted', row, [row.record, null], at)
        return true
      }),
    completeRun: (ofRun, seenAt) => done(() => void (run() === ofRun && tables.meta.set('completeAt', seenAt))),
    completeAt,
    hasCompleteSnapshot: () => completeAt() !== null,
    timeOffset: () => (tables.meta.get('timeOffset') as number | undefined) ?? null,
    saveTimeOffset: (offset) => void tables.meta.set('timeOffset', offset),
    account: () => (tables.meta.get('account') as { account: Account; seenAt: number } | undefined) ?? null,
    saveAccount: (account, seenAt) => done(() => void tables.meta.set('account', { account, seenAt })),
    acknowledge(key, record) {
      const other = byId(record.id)
      if (other !== undefined && other.key !== key) {
        for (const edit of edits(other.key)) tables.edits.set(edit.id, frozen({ ...edit, website: key }))
        for (const lateWrite of tables.lateWrites.values())
          if (lateWrite.website === other.key)
            tables.lateWrites.set(lateWrite.n, frozen({ ...lateWrite, website: key }))
        for (const historyRecord of tables.historyRecords.values())
          if (historyRecord.website === other.key)
            tables.historyRecords.set(historyRecord.id, frozen({ ...historyRecord, website: key }))
        tables.activity = tables.activity.map((entry) =>
          entry.website === other.key ? frozen({ ...entry, website: key }) : entry,
        )
        tables.websites.delete(other.key)
      }
      const newest = 1 + Math.max(0, ...rows().map(({ id, rank }) => (id === null ? 0 : rank)))
      const rank = rankOf(record.id) ?? other?.rank ?? newest
      put({ key, id: record.id, rank, domain: record.domain, record, run: run() })
      acknowledgedAt.set(record.id, now++)
    },
    noteRemote(key, before, after, at) {
      const row = tables.websites.get(key)
      const remote = row?.id === after.id ? remoteDetail(before, after) : null
      if (row !== undefined && remote !== null)
        addEntry(tables, { website: key, domain: row.domain, kind: 'changed', at, remote })
    },
    acknowledgeDelete(key) {
      const id = tables.websites.get(key)?.id
      removeRow(tables, key)
      if (id == null) return
      addGhost(id)
      acknowledgedAt.set(id, now++)
    },
  }
}

const rankOf = (id: string): number | null => (/^\d{1,15}$/.test(id) ? Number(id) : null)
