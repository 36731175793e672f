import type { StateLabel } from '../shared/display/states.ts'
import { fieldLabel } from '../shared/display/fields.ts'
import { shortened } from '../shared/display/domain.ts'
import { m } from '../messages/index.ts'
import type { HistoryEntry } from '../shared/edit.ts'
import { settingNames } from '../shared/website.ts'
import { settingsChanged, settingsListed } from './settings.ts'

/** The names of what happened to an edit. */
export const resultNames: Record<HistoryEntry['became'], () => string> = {
  sent: m.result_sent,
  adopted: m.result_adopted,
  nothing: m.result_nothing,
  repaired: m.result_repaired,
  discarded: m.result_discarded,
  undone: m.result_undone,
  unknown: m.result_unknown,
}

/** What happened to an edit, as its tag says it. */
export const becameWords: Record<HistoryEntry['became'], StateLabel> = {
  sent: { words: m.result_sent(), tone: 'calm', mark: 'done' },
  adopted: { words: m.result_adopted(), tone: 'calm', mark: 'done' },
  nothing: { words: m.result_nothing(), tone: 'calm', mark: 'done' },
  repaired: { words: m.result_repaired(), tone: 'wait', mark: 'undone' },
  discarded: { words: m.result_discarded(), tone: 'plain', mark: 'deleting' },
  undone: { words: m.result_undone(), tone: 'plain', mark: 'undone' },
  unknown: { words: m.result_unknown(), tone: 'plain', mark: 'waiting' },
}

/** What it did, or would have done. */
export function pastSummary({ kind, became, settings, before, password }: HistoryEntry): string {
  const given = ['discarded', 'undone', 'unknown'].includes(became)
  if (kind === 'delete') return given ? 'It was to be deleted.' : 'Deleted, with its statistics.'
  if (became === 'adopted') return 'The website that was there was taken for it.'
  const done = kind === 'create' ? 'Created' : 'Changed'
  const head = given ? `It was to be ${done.toLowerCase()}` : done
  const what = settingsChanged(before, settings, password)
  return what === '' ? `${head}.` : `${head}: ${what}.`
}

export const mismatchWords = (n: number): string => m.notification_mismatch({ count: n })

export const showSent = 'See sent changes'

/** What else is to be known of it: values of others, and what the service made of ours. */
export function pastNotes(entry: HistoryEntry): string[] {
  const { became, overwritten, ignored } = entry
  const notes: string[] = []
  if (became === 'nothing') notes.push('The service had it already, so nothing was sent.')
  if (became === 'unknown') notes.push('Nobody could find out whether it arrived.')
  if (became === 'repaired') notes.push('A late request had changed the website; it was put right.')
  const over = settingsListed(overwritten)
  if (over !== '') notes.push(`Somebody else’s values were overwritten: ${over}.`)
  const kept = settingsListed(ignored)
  if (kept !== '') notes.push(`The service took it, but kept ${kept}.`)
  if (became === 'sent' && entry.kind === 'update' && !changesShown(entry)) notes.push(...lostWords(entry))
  return notes
}

/** Why what was sent can't be undone, where nothing else tells it; nothing where it can be. */
export function whyNoUndo(entry: HistoryEntry): string {
  const { became, kind, can, website } = entry
  if (can.undo || became !== 'sent' || kind === 'delete') return ''
  if (website === null) return 'The website isn’t there any more.'
  return kind === 'update' && changesShown(entry) ? 'It was undone, or changed again since.' : ''
}

/** What was just saved is to be taken back, has been sent, and has no reverse. */
export const sentForGood = (entry: HistoryEntry): string =>
  [`The change to ${shortened(entry.domain)} is sent already, and can’t be undone.`, ...lostWords(entry)].join(' ')

export type Revert = 'undo' | 'putBack'

export const revertAction = (entry: HistoryEntry, what: Revert): string => {
  if (what === 'putBack') return 'Put back'
  return entry.kind === 'delete' ? 'Create again' : 'Undo'
}

export interface Asked {
  title: string
  words: string[]
  action: string
  danger: boolean
}

/** What has to be agreed to first; null: the reverse brings everything back. */
export function revertAsks(entry: HistoryEntry, what: Revert): Asked | null {
  const domain = shortened(entry.domain)
  if (what === 'putBack') return null
  if (entry.kind === 'create') {
    const words = ['It was created from here. Undoing deletes it with its statistics, for good.']
    return { title: `Delete ${domain}?`, words, action: 'Delete', danger: true }
  }
  const lost = lostWords(entry)
  if (entry.kind === 'delete') {
    const words = ['It’s created anew as it was, without its statistics: those went with it.', ...lost]
    return { title: `Create ${domain} again?`, words, action: 'Create again', danger: false }
  }
  if (lost.length === 0) return null
  return { title: `Undo the change to ${domain}?`, words: lost, action: 'Undo', danger: false }
}

/** Whether it changed anything that the service shows: else there's nothing to go back to. */
const changesShown = ({ settings, before }: HistoryEntry): boolean =>
  settingNames.some(
    (name) => before[name] !== undefined && JSON.stringify(before[name]) !== JSON.stringify(settings[name]),
  )

function lostWords({ lost, kind }: HistoryEntry): string[] {
  const names = lost.filter((name) => kind !== 'delete' || name !== 'password').map((name) => fieldLabel(name))
  if (names.length === 0) return []
  return [`${listed(names)} can’t be brought back: the service never shows what is there.`]
}

const listed = (names: string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`

/** Said once it's queued. */
export const revertedWords = (entry: HistoryEntry, what: Revert): string => {
  const domain = shortened(entry.domain)
  if (what === 'putBack') return `What ${domain} had before will be put back.`
  if (entry.kind === 'delete') return `${domain} will be created again.`
  return entry.kind === 'create' ? `${domain} will be deleted.` : m.undo_queued({ domain })
}

export const historyWords = {
  none: 'Nothing was sent yet',
  whatFor: 'What became of your changes is told here, and most of it can be undone from here.',
}
