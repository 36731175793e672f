import type { Edit } from '../../../src/main/outbox/model/edit.ts'
import { isApplied, kindOf } from '../../../src/main/outbox/history.ts'
import type { StoredActivityEntry } from '../../../src/main/outbox/model/activity.ts'
import type { EditStore, HistoryStore, LateWriteStore } from '../../../src/main/outbox/ports.ts'
import { comparableDomain } from '../../../src/shared/domain.ts'
import { frozen, type Tables } from './tables.ts'

const isParked = ({ standing }: Edit): boolean => standing.state === 'parked'

/** Edits in memory, as storage/edits.ts stores them on disk. They are in order, because no edit changes its place. */
export function memoryEdits(tables: Tables): EditStore {
  const all = () => [...tables.edits.values()]
  const save = (edit: Edit) => void tables.edits.set(edit.id, frozen({ ...edit }))

  const store: EditStore = {
    nextOrder(wall) {
      const order = Math.max(wall, store.lastOrder() + 1)
      tables.meta.set('order', order)
      return order
    },
    lastOrder: () => Number(tables.meta.get('order') ?? 0),
    edit: (id) => tables.edits.get(id) ?? null,
    editsOf: (website) => all().filter((edit) => edit.website === website),
    editsFrom: (seq, limit) =>
      all()
        .filter((edit) => edit.seq >= seq)
        .slice(0, limit),
    editsPage: (offset, limit) =>
      [...all().filter(isParked), ...all().filter((edit) => !isParked(edit))].slice(offset, offset + limit),
    *firstEdits(from) {
      const seen = new Set<string>()
      for (const edit of all()) {
        if (seen.has(edit.website)) continue
        seen.add(edit.website)
        const { id, website, seq, kind, attempts } = edit
        if (!isParked(edit) && seq >= from)
          yield { id, website, seq, kind, attempts, depends: store.dependsOnDelete(edit) }
      }
    },
    dependsOnDelete(edit) {
      const domain = tables.websites.get(edit.website)?.domain ?? ''
      return (
        edit.kind === 'create' &&
        all().some(
          ({ kind, website, seq }) =>
            kind === 'delete' &&
            seq < edit.seq &&
            website !== edit.website &&
            comparableDomain(tables.websites.get(website)?.domain ?? '') === comparableDomain(domain),
        )
      )
    },
    hasDeletes() {
      const isHeld = ({ website, seq }: Edit) =>
        all().some((one) => one.website === website && one.seq < seq && isParked(one))
      return all().some((edit) => edit.kind === 'delete' && !isParked(edit) && !isHeld(edit))
    },
    limited: () => all().filter(({ standing }) => standing.state === 'parked' && standing.reason === 'website-limit'),
    inspect: () => false,
    waitingKinds() {
      const kinds = { create: 0, update: 0, delete: 0 }
      for (const edit of all()) if (!isParked(edit)) kinds[edit.kind] += 1
      return kinds
    },
    counts() {
      const parked = all().filter(isParked).length
      return { waiting: tables.edits.size - parked, parked }
    },
    addEdit(edit) {
      const added = { ...edit, seq: ++tables.seq }
      save(added)
      return added
    },
    saveEdit(edit) {
      const known = tables.edits.get(edit.id)
      if (known !== undefined) save({ ...edit, seq: known.seq })
    },
    removeEdit: (id) => void tables.edits.delete(id),
    // Does nothing, because every edit in memory can be read.
    setAside: () => undefined,
    markInterruptedInDoubt() {
      const interrupted = all().filter(({ standing }) => standing.state === 'sending')
      for (const edit of interrupted) save({ ...edit, standing: { state: 'inDoubt', error: null } })
      return interrupted.length
    },
  }
  return store
}

/** The activity as in storage/activity.ts, without its limits and filters by domain, kind and time. */
export function memoryActivity(tables: Tables): HistoryStore {
  const all = (website: string) =>
    [...tables.historyRecords.values()].filter((record) => record.website === website).toSorted((a, b) => b.n - a.n)

  return {
    addHistoryRecord(historyRecord, also = []) {
      tables.historyRecords.set(historyRecord.id, frozen({ ...historyRecord, n: ++tables.entry }))
      if (isApplied(historyRecord.became)) for (const id of [historyRecord.id, ...also]) tables.applied.add(id)
    },
    historyRecord: (id) => tables.historyRecords.get(id) ?? null,
    saveHistoryRecord(historyRecord) {
      const known = tables.historyRecords.get(historyRecord.id)
      if (known !== undefined) tables.historyRecords.set(historyRecord.id, frozen({ ...historyRecord, n: known.n }))
    },
    historyRecords: (website, limit) => all(website).slice(0, limit),
    countHistoryRecords: (website) => all(website).length,
    wasApplied: (id) => tables.applied.has(id),
    addStep: (record, step) => addEntry(tables, { ...record, step }),
    activity(query) {
      const { website, limit } = query
      const results = 'results' in query
      const author = 'author' in query ? query.author : undefined
      const own = [...tables.historyRecords.values()].map(({ n, ...result }) => {
        const { domain, became, at } = result
        return { n, website: result.website, domain, kind: kindOf(became), at, result }
      })
      const records = [...own, ...(results ? [] : tables.activity)]
        .filter((entry) => website === undefined || entry.website === website)
        .filter((entry) => author === undefined || (author === 'remote') === 'remote' in entry)
        .toSorted((a, b) => (results ? 0 : b.at - a.at) || b.n - a.n)
      const offset = 'offset' in query ? (query.offset ?? 0) : 0
      return { records: records.slice(offset, offset + limit), next: null }
    },
  }
}

export function addEntry(tables: Tables, entry: Omit<StoredActivityEntry, 'n'>): void {
  tables.activity = [...tables.activity, frozen({ ...entry, n: ++tables.entry })]
}

export function memoryLateWrites(tables: Tables): LateWriteStore {
  const all = () => [...tables.lateWrites.values()]
  return {
    addLateWrite(lateWrite) {
      const n = ++tables.lateWrite
      tables.lateWrites.set(n, frozen({ ...lateWrite, n }))
    },
    saveLateWrite: (lateWrite) =>
      void (tables.lateWrites.has(lateWrite.n) && tables.lateWrites.set(lateWrite.n, frozen({ ...lateWrite }))),
    removeLateWrite: (n) => void tables.lateWrites.delete(n),
    lateWritesOf: (website) => all().filter((lateWrite) => lateWrite.website === website),
    lateWriteWebsites() {
      const found = new Map<string, number>()
      for (const { website, n } of all()) found.set(website, n)
      return [...found].map(([website, latest]) => ({ website, latest })).toSorted((a, b) => a.latest - b.latest)
    },
  }
}
