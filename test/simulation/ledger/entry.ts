import type { SettingName } from '../../../src/shared/website.ts'
import type { Intent } from './intent.ts'

export interface LedgerEntry {
  key: string
  domain: string
  /** All domains that the website had, including those before a correction. */
  domains: Set<string>
  /**
   * The state in which the website should be. `unsure` accepts both: before the first edit, after a decision that leaves no delete, and
   * after the undo of a delete that was being sent.
   */
  expected: 'present' | 'gone' | 'unsure'
  expectedAt: number
  createdByApp: boolean
  /** The virtual time at which the website first appeared in the app. */
  since: number
  intents: Map<SettingName, Intent>
  /** When the user last set each field. A decision about an edit that is being sent does not change this time. */
  setAt: Map<SettingName, number>
  /** The user's decisions. `all`: about everything that was shown. `shown`: the values that the user saw before a delete. */
  decisions: { about: SettingName | 'delete' | 'all'; at: number; shown?: ReadonlyMap<SettingName, string> }[]
  /** Every field that the user ever set; no other may be sent. */
  touched: Set<SettingName | 'password'>
  /**
   * The value that each field had before its first pending edit, and the time of that edit.
   * `sent`: the value that was being sent when the user set another one.
   * `waited`: the pending intents that the user has replaced.
   * `former`: the base from before an undo, because the undo may bring back a pending edit with that base.
   */
  bases: Map<SettingName, { value: string; at: number; sent?: string; waited?: readonly Intent[]; former?: string }>
  /** Values that the user saw before setting another, and remote values that the user overruled. */
  seen: Map<SettingName, { value: string; at: number }[]>
  ids: Set<string>
  /** When the user last decided about shown values, or -1. Until the user sets a value again, the app determines which counts. */
  decidedAt: number
}

export const newEntry = (key: string, domain: string, at: number): LedgerEntry => ({
  key,
  domain,
  domains: new Set([domain]),
  expected: 'unsure',
  expectedAt: 0,
  createdByApp: false,
  since: at,
  intents: new Map(),
  setAt: new Map(),
  decisions: [],
  touched: new Set(),
  bases: new Map(),
  seen: new Map(),
  ids: new Set(),
  decidedAt: -1,
})
