import { m } from '../messages/index.ts'
import { stateLabel, heldLabel, type StateLabel } from '../shared/display/states.ts'
import { shortened } from '../shared/display/domain.ts'
import type { Conflict, EditPage, EditView, UndoOutcome, WaitReason } from '../shared/edit.ts'
import type { AppState } from '../shared/state.ts'
import type { SettingName } from '../shared/website.ts'
import { formatTime, formatDuration, number } from '../shared/display/format.ts'
import { count } from './numbers.ts'
import { settingsSummary } from '../shared/display/settings-summary.ts'
import { isolated } from '../shared/display/visible.ts'

const waits: Record<WaitReason, string> = {
  paused: 'Sending is paused.',
  connection: 'The service can’t be reached just now.',
  key: 'It goes on as soon as the service accepts a key.',
  keychain: 'Its password is sealed with a key in the locked keychain.',
  rate: 'The service asks to wait between requests.',
  backoff: 'The service failed; the next try is set.',
  depends: 'Another change has to be sent first.',
  undo: 'There is still a moment to undo it.',
  refused: 'The service refused it.',
  'domain-taken': 'This domain is taken on the service, perhaps by somebody else.',
  'website-limit': 'The plan allows no more websites.',
  gone: 'The website was deleted on the service meanwhile, and its statistics with it.',
  adopt: 'A website of this domain is already there, and may be yours.',
  password: 'The statistics password has to be typed once more.',
  failing: 'It was sent five times, and each time it wasn’t applied.',
  restored: 'It comes from a backup, and may already have been sent.',
  unread: 'Nobody could find out whether it arrived: the service can’t be read there.',
  unreadable: 'This version of Siteward can’t read it. What else is done to the website waits behind it.',
  appeared: 'It had been given up, but a late request created it after all.',
  vanished: 'Its delete had been taken for lost, but the website is gone now.',
  conflict: 'Somebody else changed the same thing after you last saw it.',
}

/** Of the creates that are held by the plan's limit, one was refused and is asked about. */
const behindLimit = 'The plan allows no more websites. It waits until you have decided about the one that was refused.'

/** True if the service doesn't show its value of the unit. */
const isHidden = ({ theirs }: Conflict, unit: SettingName): boolean =>
  theirs[unit] === undefined && !(unit === 'privacy' && theirs.password)

/** Why it waits, or needs the person. */
function reasonWords({ kind, conflict, ways }: EditView, reason: WaitReason): string {
  if (reason !== 'conflict') return waits[reason]
  if (kind === 'delete') return 'Somebody changed the website after you last saw it. Is it to be deleted all the same?'
  const hidden = conflict && ways.includes('units') && conflict.units.every(({ unit }) => isHidden(conflict, unit))
  if (hidden) return 'The website was changed after you last saw it, perhaps in a field that the service doesn’t show.'
  return `${waits.conflict} Choose what the website should have.`
}

/** The state of an edit in words, as its tag says it. */
export function editState(edit: EditView): StateLabel {
  switch (edit.state) {
    case 'queued':
      return queuedState(edit)
    case 'inDoubt':
      return stateLabel('checking')
    case 'held':
      return heldLabel(edit.reason, queuedState(edit))
    default:
      return stateLabel(edit.state)
  }
}

function queuedState({ kind }: EditView): StateLabel {
  if (kind === 'create') return stateLabel('new')
  return kind === 'delete' ? stateLabel('deleting') : stateLabel('changed')
}

/** It waits for nothing but the connection, or for sending to be resumed, which is said once for all of these. */
export const waitsForConnection = ({ state, reason }: EditView): boolean =>
  state === 'held' && (reason === 'connection' || reason === 'paused')

/** Why it isn't sent yet, and when it will be tried; undefined where there is nothing to say. */
export function editWait(edit: EditView, now = Date.now()): string | undefined {
  // What the service answered says more than that it refused.
  if ((edit.reason === 'refused' && edit.error) || waitsForConnection(edit)) return undefined
  const why = edit.state === 'inDoubt' ? 'The answer was lost; Siteward reads what the service has.' : undefined
  const behind = edit.state === 'held' && edit.reason === 'website-limit' ? behindLimit : undefined
  // What it failed of is told beside it.
  const reason = edit.reason === 'backoff' && edit.error ? undefined : edit.reason && reasonWords(edit, edit.reason)
  const isNext = edit.nextAt !== null && edit.nextAt > now && edit.reason !== 'undo'
  const next = isNext ? `Next try ${formatTime(edit.nextAt ?? now)}.` : undefined
  return [behind ?? reason ?? why, next].filter(Boolean).join(' ') || undefined
}

/**
 * "3 changes: 2 will be sent, about 3 s once online, 1 needs you"; "3 changes need you". How long a delivery under way
 * takes is said beside that.
 */
export function pendingSum({ total, parked }: EditPage, app: AppState): string {
  const { drain, reach, paused } = app
  const flow = total - parked
  const seconds = drainWords(app) === undefined ? (drain?.seconds ?? null) : null
  const when = paused ? ' once resumed' : reach.state === 'offline' ? ' once online' : ''
  const sent = seconds === null ? 'will be sent' : `will be sent, about ${formatDuration(seconds)}${when}`
  if (total === 0) return ''
  if (app.readOnly) return count(total, 'change')
  if (parked === 0) return `${count(total, 'change')} ${sent}`
  if (flow === 0) return count(parked, 'change needs attention', 'changes need attention')
  const asked = count(parked, 'needs attention', 'need attention')
  return `${count(total, 'change')}: ${number(flow)} ${sent}, ${asked}`
}

/** "12 of 40 sent, about 40 s left"; undefined where nothing is being delivered. */
export function drainWords({ drain, reach, waiting, paused }: AppState): string | undefined {
  if (!drain || paused || reach.state === 'offline' || waiting === 0 || drain.done === 0) return undefined
  const left = drain.seconds === null ? '' : `, about ${formatDuration(drain.seconds)} left`
  return `${number(drain.done)} of ${number(drain.total)} sent${left}`
}

/** What goes along with what has to be decided: it takes nothing of anybody else's away. */
export function alsoSent({ conflict, settings, ways }: EditView): string | undefined {
  if (!conflict || !ways.includes('units')) return undefined
  const asked = new Set<string>(conflict.units.map(({ unit }) => unit))
  const rest = settingsSummary(Object.fromEntries(Object.entries(settings).filter(([name]) => !asked.has(name))))
  return rest === '' ? undefined : `Sent with it, as that leaves what others did: ${rest}.`
}

/** What is there on the service decides what giving up means: what a late request has done stays done. */
const left: Partial<Record<WaitReason, { action: string; title: string; lost: string }>> = {
  appeared: {
    action: 'Leave it as it is',
    title: 'as it is',
    lost: 'The website stays on the service. What you typed for it and isn’t there is lost.',
  },
  unread: {
    action: 'Stop looking',
    title: 'as it is',
    lost: 'Whether it arrived stays unknown, and the history says so.',
  },
  vanished: { action: 'Leave it deleted', title: 'deleted', lost: 'The website and its statistics stay deleted.' },
}

/** What is given up with an edit, and what the button for it says. */
export function discardWords(edit: EditView): { title: string; lost: string; action: string } {
  const domain = shortened(edit.domain)
  const leaving = edit.reason ? left[edit.reason] : undefined
  if (leaving) return { ...leaving, title: `Leave ${domain} ${leaving.title}?` }
  return { action: 'Discard', ...givenUp(edit, domain) }
}

const keeps = ({ possiblySent }: EditView): string =>
  possiblySent
    ? 'The service may already have part of this change. Siteward sets that part back.'
    : 'The service keeps what it has.'

function givenUp(edit: EditView, domain: string): { title: string; lost: string } {
  if (edit.kind === 'create') {
    return {
      title: `Discard the new website ${domain}?`,
      lost: edit.possiblySent
        ? 'If it was created on the service, Siteward deletes it there. Everything typed for it is lost.'
        : 'It isn’t created on the service, and everything typed for it is lost.',
    }
  }
  if (edit.kind === 'delete') {
    return { title: `Discard the delete of ${domain}?`, lost: 'The website stays on the service as it is.' }
  }
  if (edit.reason === 'unreadable') {
    const title = `Discard the change to ${domain}?`
    return { title, lost: 'It’s kept in Siteward’s data as it is, but never sent. What waits behind it goes on.' }
  }
  const stays = edit.reason === 'gone' ? 'The website stays deleted.' : keeps(edit)
  return {
    title: `Discard the change to ${domain}?`,
    lost: `${count(edit.fields.length, 'changed field is', 'changed fields are')} lost. ${stays}`,
  }
}

/** Said once it's taken back, or given up. */
export const nothingToUndo = 'There is nothing that could be undone.'
export const undoneWords = ({ domain }: { domain: string }, outcome: UndoOutcome): string =>
  outcome === 'queued' ? m.undo_queued({ domain: shortened(domain) }) : m.undo_done({ domain: shortened(domain) })

/** What is asked before the undo of a create that was sent. */
export const undoAsks = ({ domain }: { domain: string }): { title: string; lost: string; action: string } => ({
  title: m.undo_asks_title({ domain: shortened(domain) }),
  lost: m.undo_asks_body(),
  action: m.undo_asks_action(),
})
export function discardedWords({ domain, reason }: EditView): string {
  const leaving = reason ? left[reason] : undefined
  return leaving ? `${shortened(domain)} is left ${leaving.title}.` : `The change to ${shortened(domain)} is discarded.`
}

/** What an edit does, in words: "Will be changed: privacy Password, 3 excluded addresses." */
export function editSummary(edit: EditView): string {
  const { kind, settings, password, state } = edit
  if (kind === 'delete') {
    if (state === 'parked') return ''
    const isSaid = editState(edit).words === stateLabel('deleting').words
    return isSaid ? 'Its statistics go with it, for good.' : 'Will be deleted, with its statistics, for good.'
  }
  // That a new website excludes nothing goes without saying.
  const told = kind === 'create' ? Object.entries(settings).filter(([, value]) => !isEmpty(value)) : null
  const what = settingsSummary(told ? Object.fromEntries(told) : settings, password)
  const verb = kind === 'create' ? 'Will be created' : 'Will be changed'
  const yours = kind === 'create' ? 'Your new website' : 'Your change'
  const head = state === 'parked' ? yours : verb
  return what === '' ? `${head}.` : `${head}: ${what}.`
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

export const pendingWords = {
  title: 'Pending changes',
  tabs: 'Changes',
  unsent: 'Not sent yet',
  sent: 'Sent changes',
  needsYou: 'Needs attention',
  waiting: 'Waiting',
  willBeSent: 'Will be sent',
  showAll: 'Show all',
  none: 'Nothing is waiting',
  noneOffline: 'What you change while offline waits here, and is sent when the connection is back.',
  noneOnline: 'Everything you changed is on the service.',
  noneUnconfirmed:
    'Everything was sent, but a request without an answer may still take effect. Siteward checks for that after ten minutes of running.',
  changedHere: 'changed here',
  request: 'The request as it stands',
  requestWithMine: 'The request with all of yours kept',
  less: 'Show less',
  whole: 'Show all of it',
}
export const onlyChangesTo = (domain: string): string => `Only changes to ${isolated(domain)}`
export const sentIn = (seconds: number): string => (seconds > 0 ? `Sent in ${seconds} s.` : 'Sent now.')

export const takenBack = (domain: string): string => `${shortened(domain)} was taken back before it was sent.`
export const willBeDeleted = (domain: string): string => `${shortened(domain)} will be deleted.`

/** How it stands, and what it changes. */
export const editTold = (edit: EditView): string => `${editState(edit).words}. ${editSummary(edit)}`
