import type { HistoryEntry } from '../../shared/edit.ts'
import type { AppState } from '../../shared/state.ts'
import { resultWords, standingWords, toolTip, trayWords } from '../../words/shell.ts'

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

/** `last`: what became of an edit most lately; `isOpen`: the window is. */
export function trayView(state: AppState, last: HistoryEntry | null, isOpen: boolean): TrayView {
  const { kind, words } = standing(state, isOpen)
  const sends = state.connection !== null && !state.readOnly
  const results = last === null ? [] : [read(result(last, state.region))]
  return {
    kind,
    toolTip: toolTip(words === standingWords.done ? null : words),
    items: [
      { label: trayWords.open, does: 'open', enabled: true },
      null,
      read(capitalised(words)),
      ...results,
      { label: trayWords.sendNow, does: 'sendNow', enabled: sends && !state.paused && state.waiting > 0 },
      state.paused
        ? { label: trayWords.resume, does: 'resume', enabled: true }
        : { label: trayWords.pause, does: 'pause', enabled: true },
      null,
      { label: trayWords.add, does: 'add', enabled: sends },
      { label: trayWords.settings, does: 'settings', enabled: state.connection !== null },
      null,
      { label: trayWords.quit, does: 'quit', enabled: true },
    ],
  }
}

/** What needs the person goes before what only waits. Whether it's still offline is only known while somebody waits for it. */
function standing(state: AppState, isOpen: boolean): { kind: TrayKind; words: string } {
  const { connection, reach, waiting } = state
  const need = needOf(state)
  if (need !== null) return { kind: 'attention', words: need }
  if (connection === null) return { kind: 'idle', words: standingWords.notConnected }
  if (state.paused) return { kind: 'paused', words: standingWords.paused(waiting) }
  if (reach.state === 'offline' && (isOpen || waiting > 0))
    return { kind: 'offline', words: standingWords.offline(waiting) }
  if (waiting > 0) return { kind: 'pending', words: standingWords.waiting(waiting) }
  return { kind: 'idle', words: state.unconfirmed ? standingWords.unconfirmed : standingWords.done }
}

/** What needs the person, the worst alone; null: nothing does. */
function needOf({ connection, keychain, problem, readOnly, salvaged, waiting, parked }: AppState): string | null {
  if (readOnly) return standingWords.readOnly(waiting)
  if (problem !== null) return standingWords.problem(problem)
  if (connection?.key === 'refused') return standingWords.keyRefused
  if (connection?.key === 'missing') return standingWords.keyMissing
  if (connection?.key === 'locked') return standingWords.keyLocked(keychain, waiting)
  if (salvaged !== null) return standingWords.salvaged[salvaged.of]
  return parked > 0 ? standingWords.parked(parked) : null
}

const result = ({ became, domain, at }: HistoryEntry, region: string | null): string =>
  resultWords(became, plain(domain), timeWords(at, region))

/** A menu has no way to show what hides in a text, and takes `&` for a mark: what isn't plain stays out of it. */
const plain = (domain: string): string | null => (/^[\w.:/-]{1,60}$/.test(domain) ? domain : null)

/** Always with its day: at rest nothing draws it anew, and today is soon yesterday. */
const timeWords = (at: number, region: string | null): string =>
  new Date(at).toLocaleString(region ?? undefined, { dateStyle: 'medium', timeStyle: 'short' })

const read = (label: string): TrayItem => ({ label, enabled: false })
const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
