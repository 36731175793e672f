import type { HistoryEntry } from '../../shared/edit.ts'
import { count } from '../../shared/numbers.ts'
import type { AppState } from '../../shared/state.ts'

/** What the icon says at a glance; one picture for each, in resources/tray. */
export const trayKinds = ['idle', 'pending', 'paused', 'offline', 'attention'] as const
export type TrayKind = (typeof trayKinds)[number]

export type TrayAction = 'open' | 'sendNow' | 'pause' | 'resume' | 'add' | 'settings' | 'quit'
/** Null: a line between groups; without `does` it's only read. */
export type TrayItem = { label: string; does?: TrayAction; enabled: boolean } | null

/** All that the tray shows: the same view twice draws nothing. */
export interface TrayView {
  kind: TrayKind
  toolTip: string
  items: TrayItem[]
}

/** `last`: what became of an edit most lately. */
export function trayView(state: AppState, last: HistoryEntry | null): TrayView {
  const { kind, words } = standing(state)
  const sends = state.connection !== null && !state.readOnly
  const results = last === null ? [] : [read(resultWords(last))]
  return {
    kind,
    toolTip: kind === 'idle' ? 'Siteward' : `Siteward: ${words}`,
    items: [
      { label: 'Open', does: 'open', enabled: true },
      null,
      read(capitalised(words)),
      ...results,
      { label: 'Send now', does: 'sendNow', enabled: sends && !state.paused && state.waiting > 0 },
      state.paused
        ? { label: 'Resume sending', does: 'resume', enabled: true }
        : { label: 'Pause sending', does: 'pause', enabled: true },
      null,
      { label: 'Add website…', does: 'add', enabled: sends },
      { label: 'Settings', does: 'settings', enabled: state.connection !== null },
      null,
      { label: 'Quit', does: 'quit', enabled: true },
    ],
  }
}

/** What needs the person goes before what only waits. */
function standing(state: AppState): { kind: TrayKind; words: string } {
  const { connection, reach, parked, paused } = state
  // Of data that is only looked at nothing is ever sent.
  const waiting = state.readOnly ? 0 : state.waiting
  const tail = waiting > 0 ? `, ${count(waiting, 'change')} waiting` : ''
  if (connection === null) return { kind: 'idle', words: 'not connected' }
  if (connection.key === 'refused') return { kind: 'attention', words: 'the service refuses the API key' }
  if (connection.key === 'missing') return { kind: 'attention', words: 'the API key is missing' }
  if (parked > 0) return { kind: 'attention', words: count(parked, 'change needs you', 'changes need you') }
  if (paused) return { kind: 'paused', words: `sending is paused${tail}` }
  if (reach.state === 'offline') return { kind: 'offline', words: `offline${tail}` }
  return waiting > 0
    ? { kind: 'pending', words: `${count(waiting, 'change')} waiting` }
    : { kind: 'idle', words: 'everything is sent' }
}

const became: Record<HistoryEntry['became'], string> = {
  sent: 'Sent',
  adopted: 'Taken over',
  nothing: 'There already',
  repaired: 'Put right',
  discarded: 'Discarded',
  undone: 'Taken back',
}

const resultWords = ({ became: how, domain, at }: HistoryEntry): string =>
  `${became[how]}: ${plain(domain)}, ${timeWords(at)}`

/** A menu has no way to show what hides in a text, and takes `&` for a mark: what isn't plain stays out of it. */
const plain = (domain: string): string => (/^[\w.:/-]{1,60}$/.test(domain) ? domain : 'a website')

function timeWords(at: number): string {
  const [day, now] = [new Date(at), new Date()]
  const time = day.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  return day.toDateString() === now.toDateString() ? time : `${day.toLocaleDateString()} ${time}`
}

const read = (label: string): TrayItem => ({ label, enabled: false })
const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
