import { m } from '../../messages/index.ts'
import type { WaitReason } from '../edit.ts'
import type { WebsiteView } from '../website.ts'

/** The color of a state. */
export type Tone = 'wait' | 'bad' | 'calm' | 'plain'

/** The icon of a state. */
export type Mark =
  'new' | 'waiting' | 'paused' | 'deleting' | 'sending' | 'checking' | 'parked' | 'done' | 'undone' | 'remoteChange'

/** A state as text, with its color (`tone`) and its sign (`mark`). */
export interface StateLabel {
  text: string
  tone: Tone
  mark: Mark
}

/** The list, the editor and the Pending screen show each state in the same way. */
const stateLabels = {
  new: [m.state_new, 'wait', 'new'],
  changed: [m.state_pending, 'wait', 'waiting'],
  deleting: [m.state_deleting, 'wait', 'deleting'],
  sending: [m.state_sending, 'calm', 'sending'],
  checking: [m.state_unconfirmed, 'calm', 'checking'],
  parked: [m.state_needs_attention, 'bad', 'parked'],
  done: [m.state_sent, 'calm', 'done'],
} as const satisfies Record<string, readonly [() => string, Tone, Mark]>

export function stateLabel(state: keyof typeof stateLabels): StateLabel {
  const [label, tone, mark] = stateLabels[state]
  return { text: label(), tone, mark }
}

const holdLabels: Partial<Record<WaitReason, () => string>> = {
  paused: m.state_paused,
  connection: m.state_held_service,
  key: m.state_held_key,
  keychain: m.state_held_keychain,
  rate: m.state_held_service,
  backoff: m.state_held_backoff,
  depends: m.state_held_depends,
  'website-limit': m.state_held_limit,
}

/** Returns why a change is held, or `otherwise` if the reason has no label. */
export function heldLabel(reason: WaitReason | null, otherwise: StateLabel): StateLabel {
  const label = reason ? holdLabels[reason] : undefined
  return label ? { text: label(), tone: 'wait', mark: reason === 'paused' ? 'paused' : 'waiting' } : otherwise
}

/** Returns the state of a website, or undefined if it has no pending changes. `reason`: why the changes are held. */
export function websiteState(website: WebsiteView, reason: WaitReason | null): StateLabel | undefined {
  const pending = stateLabel(website.id === null ? 'new' : 'changed')
  switch (website.state) {
    case 'synced':
      return undefined
    case 'changed':
      return pending
    case 'held':
      return heldLabel(reason, pending)
    default:
      return stateLabel(website.state)
  }
}
