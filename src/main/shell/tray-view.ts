import { getLocale, m, type Locale } from '../../messages/index.ts'
import { errorText } from '../../messages/errors.ts'
import { recoveryHeadings } from '../../messages/headings.ts'
import type { AccountState } from '../../shared/account-state.ts'
import { accountStatus, urgencies, type AccountStatus, type Urgency } from '../../messages/account-status.ts'
import { formatDateTime } from '../../shared/display/format.ts'
import { attentionCount } from './badge.ts'
import { resultNames } from '../../shared/display/results.ts'
import { revealHidden } from '../../shared/display/visible.ts'
import type { HistoryEntry } from '../../shared/edit.ts'
import type { AppState } from '../../shared/state.ts'

/** What an item of the tray menu does. */
export type TrayAction = 'open' | 'sendNow' | 'pause' | 'resume' | 'add' | 'settings' | 'quit'
interface TrayEntry {
  label: string
  enabled: boolean
  /** An item without an action only shows its label. */
  does?: TrayAction
  /** Id of the account that the action is for, if it is for one account. */
  account?: string
  items?: TrayItem[]
}
/** Null is a separator. */
export type TrayItem = TrayEntry | null

/** Two equal views look the same. */
export interface TrayView {
  /** The most urgent status. `resources/tray` has a picture for each urgency. */
  kind: Urgency
  language: Locale
  toolTip: string
  /** Number of changes that need attention. macOS shows it beside the icon. */
  count: number
  items: TrayItem[]
}

/** `last`: the edit that left the outbox of each account last, by account id. `isOpen`: true while the window is open. */
export function trayView(state: AppState, last: ReadonlyMap<string, HistoryEntry>, isOpen: boolean): TrayView {
  const statuses = state.accounts.map((account) => ({ account, ...accountStatus(account, state, isOpen) }))
  const status = mostUrgent(state, statuses)
  const { urgency, text } = status
  const several = statuses.length > 1
  const sends = state.accounts.some(canSend)
  const first = state.accounts[0]
  return {
    kind: urgency,
    language: getLocale(),
    count: attentionCount(state),
    toolTip: text === m.status_done() ? m.menu_app() : m.tray_tooltip({ status: text }),
    items: [
      { label: m.tray_open(), does: 'open', enabled: true },
      null,
      ...(several ? statuses.map((each) => accountItem(each, state, last)) : statusItems(status)),
      ...(several || first === undefined ? [] : lastChange(first, last)),
      ...(several ? [null] : []),
      {
        label: m.tray_send_now(),
        does: 'sendNow',
        enabled: !state.paused && state.accounts.some((account) => canSend(account) && account.waiting > 0),
      },
      state.paused
        ? { label: m.tray_resume(), does: 'resume', enabled: true }
        : { label: m.tray_pause(), does: 'pause', enabled: true },
      null,
      { label: m.list_add(), does: 'add', enabled: state.connection !== null && sends && !state.readOnly },
      { label: m.tray_settings(), does: 'settings', enabled: state.connection !== null },
      null,
      { label: m.tray_quit(), does: 'quit', enabled: true },
    ],
  }
}

/** Returns the submenu of one account. */
function accountItem(
  { account, ...status }: { account: AccountState } & AccountStatus,
  { paused }: AppState,
  last: ReadonlyMap<string, HistoryEntry>,
): TrayItem {
  const { id, waiting, name } = account
  return {
    label: m.tray_account({ name: menuText(name), status: status.text }),
    enabled: true,
    items: [
      { label: m.common_open(), does: 'open', account: id, enabled: true },
      null,
      ...statusItems(status),
      ...lastChange(account, last),
      {
        label: m.tray_send_now(),
        does: 'sendNow',
        account: id,
        enabled: !paused && canSend(account) && waiting > 0,
      },
    ],
  }
}

/** A recovery of the app's own file comes first, even if there is no account. */
function mostUrgent(state: AppState, statuses: AccountStatus[]): AccountStatus {
  if (state.salvaged?.of === 'app') return { urgency: 'attention', text: recoveryHeadings.app() }
  const [first, ...rest] = statuses
  if (first === undefined) {
    if (state.problem !== null) return { urgency: 'attention', text: errorText(state.problem).problem }
    return { urgency: 'idle', text: m.status_not_connected() }
  }
  return rest.reduce((most, each) => (rank(each) > rank(most) ? each : most), first)
}

const rank = ({ urgency }: AccountStatus): number => urgencies.indexOf(urgency)

/** True even if the service can't be reached. */
const canSend = ({ running, readOnly }: AccountState): boolean => running && !readOnly

const statusItems = ({ text, pending }: AccountStatus): TrayItem[] => [
  textItem(text),
  ...(pending === undefined ? [] : [textItem(pending)]),
]

function lastChange({ id }: AccountState, last: ReadonlyMap<string, HistoryEntry>): TrayItem[] {
  const entry = last.get(id)
  if (entry === undefined) return []
  const { became, domain, at } = entry
  const result = resultNames[became]()
  // The time includes the date, because the menu isn't redrawn at midnight.
  const time = formatDateTime(at)
  // Menus can't isolate bidirectional text and treat `&` as a mnemonic, so other domains are left out.
  const isPlain = /^[\w.:/-]{1,60}$/.test(domain)
  return [
    textItem(isPlain ? m.tray_last_change({ result, domain, time }) : m.tray_last_change_unnamed({ result, time })),
  ]
}

/** In a menu, `&` would mark a mnemonic. */
const menuText = (name: string): string => revealHidden(name).replaceAll('&', '&&')

const textItem = (label: string): TrayItem => ({ label, enabled: false })
