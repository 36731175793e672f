import { getLocale, m, type Locale } from '../../messages/index.ts'
import { errorText } from '../../messages/errors.ts'
import { resultNames } from '../../shared/display/results.ts'
import { keychainHeads, recoveryHeads } from '../../messages/headings.ts'
import { formatDateTime } from '../../shared/display/format.ts'
import type { HistoryEntry } from '../../shared/edit.ts'
import type { AppState } from '../../shared/state.ts'

/** The states that the tray icon shows, with one picture for each in resources/tray. */
export const trayKinds = ['idle', 'pending', 'paused', 'offline', 'attention'] as const
export type TrayKind = (typeof trayKinds)[number]

export type TrayAction = 'open' | 'sendNow' | 'pause' | 'resume' | 'add' | 'settings' | 'quit'
/** An item of the tray menu. Null is a separator; an item without `does` only shows its label. */
export type TrayItem = { label: string; does?: TrayAction; enabled: boolean } | null

/** Everything that the tray shows. Two equal views look the same. */
export interface TrayView {
  kind: TrayKind
  language: Locale
  toolTip: string
  items: TrayItem[]
}

/** Returns what the tray shows. `last` is the edit that left the outbox last; `isOpen` is true while the window is open. */
export function trayView(state: AppState, last: HistoryEntry | null, isOpen: boolean): TrayView {
  const { kind, status } = currentStatus(state, isOpen)
  const sends = state.connection !== null && !state.readOnly
  const results = last === null ? [] : [readOnlyItem(lastChange(last))]
  return {
    kind,
    language: getLocale(),
    toolTip: status === m.status_done() ? m.menu_app() : m.tray_tooltip({ status }),
    items: [
      { label: m.tray_open(), does: 'open', enabled: true },
      null,
      readOnlyItem(status),
      ...results,
      { label: m.tray_send_now(), does: 'sendNow', enabled: sends && !state.paused && state.waiting > 0 },
      state.paused
        ? { label: m.tray_resume(), does: 'resume', enabled: true }
        : { label: m.tray_pause(), does: 'pause', enabled: true },
      null,
      { label: m.tray_add(), does: 'add', enabled: sends },
      { label: m.tray_settings(), does: 'settings', enabled: state.connection !== null },
      null,
      { label: m.tray_quit(), does: 'quit', enabled: true },
    ],
  }
}

/**
 * Returns the most urgent status. "Offline" counts only while the window is open or changes are pending: otherwise nothing is
 * requested, so nobody knows whether the connection has come back.
 */
function currentStatus(state: AppState, isOpen: boolean): { kind: TrayKind; status: string } {
  const { connection, reach, waiting } = state
  const problem = problemOf(state)
  if (problem !== null) return { kind: 'attention', status: problem }
  if (connection === null) return { kind: 'idle', status: m.status_not_connected() }
  if (state.paused) return { kind: 'paused', status: withPending(m.status_paused(), waiting) }
  if (reach.state === 'offline' && (isOpen || waiting > 0))
    return { kind: 'offline', status: withPending(m.status_offline(), waiting) }
  if (waiting > 0) return { kind: 'pending', status: m.status_pending({ count: waiting }) }
  return { kind: 'idle', status: state.unconfirmed ? m.status_unconfirmed() : m.status_done() }
}

/** Returns the most urgent thing that needs the user's attention, or null. */
function problemOf({ connection, keychain, problem, readOnly, salvaged, waiting, parked }: AppState): string | null {
  if (readOnly) {
    return waiting > 0 ? m.status_newer_version_pending({ count: waiting }) : m.status_newer_version()
  }
  if (problem !== null) return errorText(problem).what
  if (connection?.key === 'refused') return m.status_key_rejected()
  if (connection?.key === 'missing') return m.status_key_missing()
  if (connection?.key === 'locked') return withPending(keychainHeads[keychain](), waiting)
  if (salvaged !== null) return recoveryHeads[salvaged.of]()
  return parked > 0 ? m.status_need_attention({ count: parked }) : null
}

const withPending = (status: string, count: number): string =>
  count > 0 ? m.status_with_pending({ status, count }) : status

function lastChange({ became, domain, at }: HistoryEntry): string {
  const result = resultNames[became]()
  // The time includes the date, because the menu isn't redrawn at midnight.
  const time = formatDateTime(at)
  // Menus can't isolate bidirectional text and treat `&` as a mnemonic, so other domains are left out.
  const isPlain = /^[\w.:/-]{1,60}$/.test(domain)
  return isPlain ? m.tray_last_change({ result, domain, time }) : m.tray_last_change_unnamed({ result, time })
}

const readOnlyItem = (label: string): TrayItem => ({ label, enabled: false })
