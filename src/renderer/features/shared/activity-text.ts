import { m } from '../../../messages/index.ts'
import type { ActivityEntry, ActivityKind, Author, RemoteDetail } from '../../../shared/activity.ts'
import { settingsSummary } from '../../../shared/display/settings-summary.ts'
import type { StateLabel } from '../../../shared/display/states.ts'
import type { HistoryEntry, ResolveWay } from '../../../shared/edit.ts'
import { settingNames, type SettingName } from '../../../shared/website.ts'
import { differenceTexts } from './difference-text.ts'
import { generalReasonText } from './edit-text.ts'
import { entrySummary, resultLabel } from './result-text.ts'

const kinds: Record<ActivityKind, StateLabel & { name: () => string }> = {
  delivered: labelWithoutText(m.result_sent, 'calm', 'done'),
  failed: labelWithoutText(m.activity_kind_failed, 'bad', 'parked'),
  resolved: labelWithoutText(m.activity_kind_resolved, 'calm', 'done'),
  undone: labelWithoutText(m.result_undone, 'plain', 'undone'),
  added: labelWithoutText(m.remote_added, 'plain', 'remoteChange'),
  changed: labelWithoutText(m.remote_changed, 'plain', 'remoteChange'),
  deleted: labelWithoutText(m.activity_remote_deleted, 'plain', 'remoteChange'),
}

/** Returns a label whose text is read from `name` only when it is shown, because the language can change. */
function labelWithoutText(name: () => string, tone: StateLabel['tone'], mark: StateLabel['mark']) {
  return { name, text: '', tone, mark }
}

export const kindName = (kind: ActivityKind): string => kinds[kind].name()

/** Returns who has made a change: the user here, or another client. */
export const authorName = (author: Author): string =>
  author === 'own' ? m.activity_author_own() : m.activity_author_remote()

/** Returns the label of an entry: the result of its edit or, without one, what happened. */
export function entryLabel({ kind, edit }: ActivityEntry): StateLabel {
  const { name, ...look } = kinds[kind]
  return edit ? resultLabel(edit.became) : { ...look, text: name() }
}

const resolutionTexts: Record<ResolveWay, () => string> = {
  units: m.activity_way_units,
  adopt: m.activity_way_adopt,
  recreate: m.activity_way_recreate,
  delete: m.activity_way_delete,
  keep: m.activity_way_keep,
}

/** Returns what an edit did or didn't do. A sent change has one text per field. */
export function editTexts(edit: HistoryEntry): string[] {
  const { kind, became, before, settings, password } = edit
  if (kind !== 'update' || became !== 'sent') return [entrySummary(edit)]
  const differs = (name: SettingName): boolean => JSON.stringify(before[name]) !== JSON.stringify(settings[name])
  const to = Object.fromEntries(settingNames.filter(differs).map((name) => [name, settings[name]]))
  const texts = differenceTexts({ from: before, to, password })
  return texts.length > 0 ? texts : [entrySummary(edit)]
}

/** Returns the details of an entry without an edit: the user's decision, why an edit was parked, or a remote change. */
export function entryDetails({ kind, step, remote }: ActivityEntry): string[] {
  if (step?.way) return [resolutionTexts[step.way]()]
  if (step?.reason) return [generalReasonText(step.reason, step.kind)]
  return remote ? remoteTexts(kind, remote) : []
}

function remoteTexts(kind: ActivityKind, { before, after, fields }: RemoteDetail): string[] {
  if (kind === 'added') return unlessEmpty(settingsSummary(after), (settings) => m.activity_added_with({ settings }))
  if (kind === 'deleted')
    return unlessEmpty(settingsSummary(before), (settings) => m.activity_deleted_with({ settings }))
  const texts = differenceTexts({ from: before, to: after, password: false })
  if (fields.includes('domain')) texts.unshift(m.activity_domain_changed())
  if (fields.includes('password') && before.password !== after.password)
    texts.push(after.password ? m.activity_password_set() : m.activity_password_removed())
  return texts.length > 0 ? texts : [m.activity_changed_unseen()]
}

const unlessEmpty = (summary: string, text: (summary: string) => string): string[] =>
  summary === '' ? [] : [text(summary)]
