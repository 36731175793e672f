import { type WebsiteSettings } from '../../shared/website.ts'
import { pickSettings } from './model/compare.ts'
import type { Edit } from './model/edit.ts'
import type { Became, HistoryRecord } from './model/history-record.ts'
import type { OutboxStore } from './ports.ts'

/** How many entries are kept at least: they're removed by the hundred. */
export const HISTORY_LIMIT = 5_000
/** Ids of applied edits that are kept, so that an old export can't send one again. */
export const SENT_LIMIT = 100_000

/** The service kept something else than was sent, or a late request undid it: the user is told of it. */
export const isMismatch = ({ became, ignored }: Pick<HistoryRecord, 'became' | 'ignored'>): boolean =>
  became === 'repaired' || Object.keys(ignored).length > 0

/** What never came to the service, or isn't known to have. */
export const UNAPPLIED: readonly Became[] = ['discarded', 'undone', 'unknown']

/** What became applies to the service: such an edit is never taken from an export again. */
export const isApplied = (became: Became): boolean => !UNAPPLIED.includes(became)

/**
 * Notes what became of an edit, in the transaction in which it leaves the outbox, and before its website does
 * (docs/sync.md#history). `at`: milliseconds since 1970, for display alone; `ignored`: what the service has in a
 * field
 * instead of what was sent; `domain`: its website's, where that is known. A repair that was applied is noted as such.
 */
export function recordHistory(
  store: OutboxStore,
  edit: Edit,
  became: Became,
  { at, ignored = {}, domain }: { at: number; ignored?: Partial<WebsiteSettings>; domain?: string | undefined },
): void {
  const historyRecord: HistoryRecord = {
    id: edit.id,
    website: edit.website,
    domain: domain ?? store.website(edit.website)?.domain ?? '',
    kind: edit.kind,
    became: became === 'sent' && edit.kind === 'update' && edit.note?.repairs === true ? 'repaired' : became,
    settings: edit.kind === 'delete' ? {} : pickSettings({ ...edit.note?.resent?.settings, ...edit.settings }),
    password: edit.kind !== 'delete' && (edit.sealed !== null || edit.note?.resent?.password === true),
    before: pickSettings({ ...edit.base.settings, ...edit.note?.resent?.before }),
    overwritten: edit.note?.overwrites ?? {},
    ignored,
    ...(edit.standing.state === 'inDoubt' && { isRead: true }),
    at,
    ...(edit.kind !== 'delete' && edit.note?.saves && { saves: edit.note.saves }),
    ...(edit.note?.isUndo === true && { isUndo: true }),
    undone: false,
    putBack: false,
  }
  store.addHistoryRecord(historyRecord, edit.note?.also)
}
