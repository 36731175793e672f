import type { SettingName } from '../../../src/shared/website.ts'
import type { Intent } from './intent.ts'

/** What the user wants of one website, and has seen of it. */
export interface LedgerEntry {
  key: string
  domain: string
  /** It was corrected: what it was called before. */
  domains: Set<string>
  /** `unsure`: the user gave something up, and doesn't mind. */
  wanted: 'here' | 'gone' | 'unsure'
  wantedAt: number
  /** It was created here, and not found on the service. */
  madeHere: boolean
  /** When it was first heard of. */
  since: number
  intents: Map<SettingName, Intent>
  /** When the user last set each, which a decision about what is on its way leaves as it was. */
  setAt: Map<SettingName, number>
  /** What the user had a say about, and when; `all`: decided about what was shown. `shown`: of a delete, what they had seen. */
  said: { about: SettingName | 'delete' | 'all'; at: number; shown?: ReadonlyMap<SettingName, string> }[]
  /** Whatever the user ever set: nothing else may be sent. */
  touched: Set<SettingName | 'password'>
  /**
   * What each of them was before the first edit of it that waits, and when that was made; `sent`: what was on its way as the
   * user set another behind it; `waited`: what they had wished while it waited, and set away from.
   */
  bases: Map<SettingName, { value: string; at: number; sent?: string; waited?: readonly Intent[] }>
  /** Values that the user saw before setting another, and values of others that he overruled. */
  seen: Map<SettingName, { value: string; at: number }[]>
  /** The service's ids that it was ever known by. */
  ids: Set<string>
  /** When the user last decided about what was there: which of the values counts is for the app to say, until they set another. */
  decidedAt: number
}

/** Of one that the user has said nothing about yet. */
export const newEntry = (key: string, domain: string, at: number): LedgerEntry => ({
  key,
  domain,
  domains: new Set([domain]),
  wanted: 'unsure',
  wantedAt: 0,
  madeHere: false,
  since: at,
  intents: new Map(),
  setAt: new Map(),
  said: [],
  touched: new Set(),
  bases: new Map(),
  seen: new Map(),
  ids: new Set(),
  decidedAt: -1,
})
