import { m } from '../../../messages/index.ts'
import { shortDomain } from '../../../shared/display/domain.ts'
import { fieldLabel } from '../../../shared/display/fields.ts'
import { formatList, joinSentences } from '../../../shared/display/format.ts'
import { resultNames } from '../../../shared/display/results.ts'
import type { StateLabel } from '../../../shared/display/states.ts'
import type { EditKind, HistoryEntry } from '../../../shared/edit.ts'
import { settingNames } from '../../../shared/website.ts'
import { undoQuestion, undoToast, type Question } from './edit-text.ts'
import { changesSummary, settingsSummary } from '../../../shared/display/settings-summary.ts'

/** `undo`: undoes the change of the entry. `putBack`: restores the values that the entry has overwritten. */
export type RevertAction = 'undo' | 'putBack'

const resultLooks: Record<HistoryEntry['became'], Pick<StateLabel, 'tone' | 'mark'>> = {
  sent: { tone: 'calm', mark: 'done' },
  adopted: { tone: 'calm', mark: 'done' },
  nothing: { tone: 'calm', mark: 'done' },
  repaired: { tone: 'wait', mark: 'undone' },
  discarded: { tone: 'plain', mark: 'deleting' },
  undone: { tone: 'plain', mark: 'undone' },
  unknown: { tone: 'plain', mark: 'waiting' },
}

/** Returns the result of an edit, with its tone and mark. */
export const resultLabel = (became: HistoryEntry['became']): StateLabel => ({
  text: resultNames[became](),
  ...resultLooks[became],
})

/** Returns what an edit did or didn't do. */
export function entrySummary({ kind, became, settings, before, password }: HistoryEntry): string {
  if (became === 'adopted' && kind !== 'delete') return m.history_adopted()
  if (became === 'nothing' && kind === 'delete') return m.history_was_gone()
  const [withoutSettings, withSettings] = summaries[kind][certaintyOf(became)]
  const changes = kind === 'delete' ? '' : changesSummary(before, settings, password)
  return changes === '' ? withoutSettings() : withSettings({ settings: changes })
}

/** The certainty that an edit has changed the website. */
type Certainty = 'done' | 'not' | 'maybe'

function certaintyOf(became: HistoryEntry['became']): Certainty {
  if (became === 'unknown') return 'maybe'
  return became === 'discarded' || became === 'undone' ? 'not' : 'done'
}

type Summaries = readonly [without: () => string, withSettings: (inputs: { settings: string }) => string]

const summaries: Record<EditKind, Record<Certainty, Summaries>> = {
  create: {
    done: [m.history_created, m.history_created_with],
    not: [m.history_not_created, m.history_not_created_with],
    maybe: [m.history_maybe_created, m.history_maybe_created_with],
  },
  update: {
    done: [m.history_changed, m.history_changed_to],
    not: [m.history_not_changed, m.history_not_changed_to],
    maybe: [m.history_maybe_changed, m.history_maybe_changed_to],
  },
  delete: {
    done: [m.history_deleted, m.history_deleted],
    not: [m.history_not_deleted, m.history_not_deleted],
    maybe: [m.history_maybe_deleted, m.history_maybe_deleted],
  },
}

/**
 * Returns notes on an entry: an unusual result, overwritten values, values that the service changed, and fields that can't be
 * restored. The note about such fields is left out if a later entry has it (`isReplaced`).
 */
export function entryNotes(entry: HistoryEntry, isReplaced = false): string[] {
  const { kind, became, overwritten, ignored } = entry
  const [overwrittenText, ignoredText] = [settingsSummary(overwritten), settingsSummary(ignored)]
  return [
    // The summary of a delete says this already.
    ...(became === 'nothing' && kind !== 'delete' ? [m.history_was_there()] : []),
    ...(became === 'unknown' ? [m.history_unknown()] : []),
    ...(became === 'repaired' ? [m.history_repaired()] : []),
    ...(overwrittenText === '' ? [] : [m.history_overwritten({ settings: overwrittenText })]),
    ...(ignoredText === '' ? [] : [m.history_kept({ settings: ignoredText })]),
    ...(setsOnlyWriteOnlyFields(entry) && !isReplaced ? lostFieldsTexts(entry) : []),
  ]
}

/** Returns why a sent edit can't be undone; '' if it can be, or another text already says why. */
export function whyNoUndo(entry: HistoryEntry, isReplaced = false): string {
  const { became, kind, can, website } = entry
  if (can.undo || became !== 'sent' || kind === 'delete') return ''
  if (website === null) return m.history_gone()
  return kind === 'update' && (isReplaced || hasVisibleChange(entry)) ? m.history_changed_since() : ''
}

/** True for a sent change of only those fields that the service never returns, such as a password. */
const setsOnlyWriteOnlyFields = (entry: HistoryEntry): boolean =>
  entry.became === 'sent' && entry.kind === 'update' && !hasVisibleChange(entry)

/** True if a later entry has set all fields of an entry that can't be undone. */
export const isReplacedBy = (later: readonly HistoryEntry[], entry: HistoryEntry): boolean =>
  setsOnlyWriteOnlyFields(entry) &&
  later.some(
    ({ website, became, lost }) =>
      website !== null &&
      website === entry.website &&
      became === 'sent' &&
      entry.lost.every((name) => lost.includes(name)),
  )

/** Returns why a sent edit can't be undone. */
export function cannotUndoToast(entry: HistoryEntry): string {
  if (entry.became === 'nothing') return entry.kind === 'delete' ? m.history_was_gone() : m.history_was_there()
  return joinSentences([
    m.history_sent_for_good({ domain: shortDomain(entry.domain) }),
    ...lostFieldsTexts(entry),
    m.history_sent_for_good_todo(),
  ])
}

/** Returns the label of the button that undoes an entry or restores what it has overwritten. */
export function revertActionLabel(entry: HistoryEntry, action: RevertAction): string {
  if (action === 'putBack') return m.history_put_back()
  return entry.kind === 'delete' ? m.history_again_open() : m.common_undo()
}

/** Returns the question before an action; null if nothing is lost, so that no question is needed. */
export function revertQuestion(entry: HistoryEntry, action: RevertAction): Question | null {
  if (action === 'putBack') return null
  const lost = lostFieldsTexts(entry)
  if (entry.kind !== 'update') {
    const question = undoQuestion(entry)
    return { ...question, paragraphs: [...question.paragraphs, ...lost] }
  }
  if (lost.length === 0) return null
  const title = m.history_undo_ask({ domain: shortDomain(entry.domain) })
  return { title, paragraphs: lost, action: m.common_undo(), danger: false }
}

/** True if an edit has changed a value that the service returns. Otherwise there is nothing to restore. */
const hasVisibleChange = ({ settings, before }: HistoryEntry): boolean =>
  settingNames.some(
    (name) => before[name] !== undefined && JSON.stringify(before[name]) !== JSON.stringify(settings[name]),
  )

/** Returns the fields that an undo can't restore, in a sentence. The undo of a delete asks for the password instead. */
function lostFieldsTexts({ lost, kind }: HistoryEntry): string[] {
  const names = lost.filter((name) => kind !== 'delete' || name !== 'password').map((name) => fieldLabel(name))
  if (names.length === 0) return []
  const fields = formatList(names)
  return [names.length === 1 ? m.history_lost({ fields }) : m.history_lost_many({ fields })]
}

/** Returns the toast after a revert was queued. */
export function revertToast(entry: HistoryEntry, action: RevertAction): string {
  if (action === 'putBack') return m.history_put_back_done({ domain: shortDomain(entry.domain) })
  const { kept = [] } = entry
  const rest = kept.length > 0 && m.undo_kept({ fields: formatList(kept.map(fieldLabel)) })
  return joinSentences([undoToast(entry, 'queued', true), rest])
}
