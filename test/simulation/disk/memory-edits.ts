import type { Edit } from '../../../src/main/outbox/model/edit.ts'
import { isApplied } from '../../../src/main/outbox/history.ts'
import type { OutboxStore } from '../../../src/main/outbox/ports.ts'
import { frozen, type Tables } from './tables.ts'

type EditStore = Pick<
  OutboxStore,
  | 'edit'
  | 'editsOf'
  | 'editsPage'
  | 'editsFrom'
  | 'heads'
  | 'dependsOnDelete'
  | 'hasDeletes'
  | 'limited'
  | 'counts'
  | 'waitingKinds'
  | 'inspect'
  | 'addEdit'
  | 'saveEdit'
  | 'removeEdit'
  | 'setAside'
  | 'markInterruptedInDoubt'
>
type HistoryStore = Pick<
  OutboxStore,
  'addHistoryRecord' | 'historyRecord' | 'saveHistoryRecord' | 'historyRecords' | 'countHistoryRecords' | 'wasApplied'
>
type LateWriteStore = Pick<
  OutboxStore,
  'addLateWrite' | 'saveLateWrite' | 'removeLateWrite' | 'lateWritesOf' | 'lateWriteWebsites'
>

const isParked = ({ standing }: Edit): boolean => standing.state === 'parked'

/** Edits in memory, as storage/edits.ts stores them on disk. They are in order, because no edit changes its place. */
export function memoryEdits(tables: Tables): EditStore {
  const all = () => [...tables.edits.values()]
  const save = (edit: Edit) => void tables.edits.set(edit.id, frozen({ ...edit }))

  const store: EditStore = {
    edit: (id) => tables.edits.get(id) ?? null,
    editsOf: (website) => all().filter((edit) => edit.website === website),
    editsFrom: (seq, limit) =>
      all()
        .filter((edit) => edit.seq >= seq)
        .slice(0, limit),
    editsPage: (offset, limit) =>
      [...all().filter(isParked), ...all().filter((edit) => !isParked(edit))].slice(offset, offset + limit),
    *heads(from) {
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
      const domain = tables.websites.get(edit.website)?.domain
      return (
        edit.kind === 'create' &&
        all().some(
          ({ kind, website, seq }) =>
            kind === 'delete' &&
            seq < edit.seq &&
            website !== edit.website &&
            tables.websites.get(website)?.domain === domain,
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
    // In memory, every edit can be read.
    setAside: () => undefined,
    markInterruptedInDoubt() {
      const interrupted = all().filter(({ standing }) => standing.state === 'sending')
      for (const edit of interrupted) save({ ...edit, standing: { state: 'inDoubt', error: null } })
      return interrupted.length
    },
  }
  return store
}

/** The history as in storage/history.ts, without its limits. */
export function memoryHistory(tables: Tables): HistoryStore {
  const all = (website: string | undefined) =>
    [...tables.historyRecords.values()]
      .reverse()
      .filter((historyRecord) => website === undefined || historyRecord.website === website)

  return {
    addHistoryRecord(historyRecord, also = []) {
      // The latest entry is last, also if it replaces an earlier one.
      tables.historyRecords.delete(historyRecord.id)
      tables.historyRecords.set(historyRecord.id, frozen({ ...historyRecord }))
      if (isApplied(historyRecord.became)) for (const id of [historyRecord.id, ...also]) tables.applied.add(id)
    },
    historyRecord: (id) => tables.historyRecords.get(id) ?? null,
    saveHistoryRecord: (historyRecord) =>
      void (
        tables.historyRecords.has(historyRecord.id) &&
        tables.historyRecords.set(historyRecord.id, frozen({ ...historyRecord }))
      ),
    historyRecords: (offset, limit, website) => all(website).slice(offset, offset + limit),
    countHistoryRecords: (website) => all(website).length,
    wasApplied: (id) => tables.applied.has(id),
  }
}

/** The late writes as in storage/late-writes.ts. */
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
