import type { ActivityKind, EditStep } from '../../shared/activity.ts'
import type { WebsiteSettings } from '../../shared/website.ts'
import { pickSettings, pickCommon } from './model/compare.ts'
import type { Edit, Save } from './model/edit.ts'
import { isFromSave, orderOfLastSave, savesUndoableOnceSent } from './model/saves.ts'
import type { EditResult, HistoryRecord } from './model/history-record.ts'
import type { OutboxStore } from './ports.ts'

/** Maximum number of stored activity entries. The oldest are removed first. */
export const ACTIVITY_LIMIT = 100_000
/** Maximum number of stored ids of applied edits, which an import skips. The oldest are removed first. */
export const APPLIED_IDS_LIMIT = 100_000

/**
 * True if the user must be notified: the service kept another value than was sent, or a late write was repaired. The record for
 * the saves of a create does not count, because it repeats the create's ignored values.
 */
export const isMismatch = ({ id, became, ignored }: Pick<HistoryRecord, 'id' | 'became' | 'ignored'>): boolean =>
  became === 'repaired' || (Object.keys(ignored).length > 0 && !isSavesEntry({ id }))

/** The results of edits that did not reach the service, as far as is known. */
export const UNAPPLIED_RESULTS: readonly EditResult[] = ['discarded', 'undone', 'unknown']

/** Returns the kind of the activity entry for the result of an edit. */
export function kindOf(became: EditResult): ActivityKind {
  if (became === 'undone') return 'undone'
  return became === 'adopted' || became === 'discarded' || became === 'unknown' ? 'resolved' : 'delivered'
}

/** True even if nothing had to be sent. An applied edit is never imported again. */
export const isApplied = (became: EditResult): boolean => !UNAPPLIED_RESULTS.includes(became)

/**
 * Stores the result of an edit in the activity (docs/sync.md#activity). Call it in the transaction that removes the edit, before
 * its website is removed. `at`: milliseconds since 1970, for display only. `ignored`: values that the service has instead of
 * those sent.
 */
export function recordHistory(
  store: OutboxStore,
  edit: Edit,
  became: EditResult,
  { at, ignored = {} }: { at: number; ignored?: Partial<WebsiteSettings> },
): void {
  const order = edit.note?.order
  // A create without an `order` is no save of the user, for example the undo of a delete.
  const isOwnSave = edit.kind === 'create' ? order !== undefined : isFromSave(edit)
  const historyRecord: HistoryRecord = {
    id: edit.id,
    website: edit.website,
    domain: store.website(edit.website)?.domain ?? '',
    kind: edit.kind,
    became: became === 'sent' && edit.kind === 'update' && edit.note?.repairs === true ? 'repaired' : became,
    settings: edit.kind === 'delete' ? {} : pickSettings({ ...edit.note?.resent?.settings, ...edit.settings }),
    password: edit.kind !== 'delete' && (edit.sealed !== null || edit.note?.resent?.password === true),
    before: pickSettings({ ...edit.base.settings, ...edit.note?.resent?.before }),
    overwritten: edit.note?.overwrites ?? {},
    ignored,
    ...(edit.standing.state === 'inDoubt' && { isRead: true }),
    at,
    ...(isOwnSave && { changedAt: order ?? edit.changedAt }),
    ...(edit.kind === 'update' && edit.note?.saves && { saves: edit.note.saves }),
    ...(edit.kind !== 'delete' && edit.note?.isUndo === true && { isUndo: true }),
    undone: false,
    putBack: false,
  }
  store.addHistoryRecord(historyRecord, edit.note?.also)
  // The saves merged into a create get a record of their own, because they are undone one by one, before the create.
  const saves = edit.kind === 'create' && became === 'sent' ? savesUndoableOnceSent(edit) : []
  if (saves.length > 0) store.addHistoryRecord(savesRecordOf(historyRecord, saves))
}

const SAVES_SUFFIX = '-saves'

/** Returns the id of the history record for the saves merged into a create. */
export const savesIdOf = (createId: string): string => `${createId}${SAVES_SUFFIX}`

/** True for the history record of the saves merged into a create. */
export const isSavesEntry = ({ id }: Pick<HistoryRecord, 'id'>): boolean => id.endsWith(SAVES_SUFFIX)

/** Returns the history record for the saves merged into a create, as if they had been sent as an update. */
export function savesRecordOf(create: HistoryRecord, saves: Save[]): HistoryRecord {
  const after: Partial<WebsiteSettings> = Object.assign({}, ...saves.map((save) => save.after))
  const before: Partial<WebsiteSettings> = Object.assign({}, ...saves.map((save) => save.before).toReversed())
  return {
    ...create,
    id: savesIdOf(create.id),
    kind: 'update',
    settings: pickCommon(create.settings, after),
    password: saves.some(({ password }) => password),
    before,
    ignored: pickCommon(create.ignored, after),
    changedAt: orderOfLastSave({ kind: 'update', saves, changedAt: create.changedAt ?? create.at }),
    saves,
  }
}

/**
 * Stores in the activity that an edit was parked or resolved. Call it in the transaction that stores the edit. `at`: milliseconds
 * since 1970, for display only.
 */
export function recordStep(
  store: OutboxStore,
  { website, kind: editKind }: Edit,
  kind: 'failed' | 'resolved',
  { at, ...step }: { at: number } & Omit<EditStep, 'kind'>,
): void {
  const domain = store.website(website)?.domain ?? ''
  store.addStep({ website, domain, kind, at }, { kind: editKind, ...step })
}
