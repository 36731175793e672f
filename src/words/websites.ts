import type { WaitReason } from '../shared/edit.ts'
import { LONGEST_PASSWORD } from '../shared/validate.ts'
import type { FieldName, Privacy, WebsiteView } from '../shared/website.ts'
import { count, number } from './numbers.ts'
import { shortened } from '../shared/display/domain.ts'

export type Tone = 'wait' | 'bad' | 'calm' | 'plain'

export const privacyWords: Record<Privacy, string> = { 0: 'Public', 1: 'Private', 2: 'Password' }

export const fieldWords: Record<FieldName, string> = {
  domain: 'Domain',
  privacy: 'Privacy',
  password: 'Statistics password',
  email: 'Email reports',
  exclude_bots: 'Exclude bots',
  exclude_ips: 'Excluded IP addresses',
  exclude_params: 'Excluded URL parameters',
}

export const privacyMeanings: Record<Privacy, string> = {
  0: 'Everybody may see the statistics.',
  1: 'Only you may see the statistics.',
  2: 'Whoever knows the password may see the statistics.',
}

/** On fields whose value the service doesn't show. */
export const unseenHints = {
  privacy: 'The service doesn’t show this. It stays as it is until you choose.',
  switch: 'The service doesn’t show this. It stays as it is until you switch it.',
  list: 'The service doesn’t show this list. Type here to replace it.',
}

export const passwordHints = {
  set: 'A password is set. The service doesn’t show it. Type here to replace it.',
  waiting: 'The password you typed before waits with it, and stays unless you type another.',
  run: 'There is no keychain, so it’s kept only until Siteward quits. If it isn’t sent by then, it has to be typed again.',
  typed: 'It’s kept sealed on this computer until it has been sent, then forgotten.',
}

export const passwordWarnings = {
  none: 'No password is set so far. Without one the service may refuse this.',
  made: 'Copy it before you save: once it’s saved nobody can show it again.',
  long: `This is longer than ${number(LONGEST_PASSWORD)} characters. The service may refuse it.`,
}

/** Of several websites that would be behind a password. */
export const lackingPassword = (n: number): string =>
  `${count(n, 'of these websites has', 'of these websites have')} no password so far. Without one the service may refuse this.`

export const domainWarning =
  'Most services take only names like example.com, and this can’t be changed later. The service may refuse it.'

export const emailWarning = 'The account’s plan has no email reports. The service may refuse or ignore this.'

export const noSuchWebsite = (domain: string): string =>
  `${shortened(domain)} isn’t among the websites of this account.`
export const nothingToAddTo = 'This data can only be looked at: no website can be added to it.'

/** A field of the service by its name on the screens; one that nobody has heard of by its own. */
export const fieldName = (name: string): string =>
  Object.hasOwn(fieldWords, name) ? fieldWords[name as FieldName] : name

/** Where the service shows nothing, so do we. */
export const onOff = (value: boolean | undefined): string => (value === undefined ? '–' : value ? 'On' : 'Off')
export const privacyOf = (value: Privacy | undefined): string => (value === undefined ? '–' : privacyWords[value])

/** What a state looks like before it's read. */
export type Mark =
  'new' | 'waiting' | 'paused' | 'deleting' | 'sending' | 'checking' | 'parked' | 'done' | 'undone' | 'remoteChange'

export interface StateWords {
  words: string
  tone: Tone
  mark: Mark
}

/** The one table of where a change stands: the list, the editor and Pending all take their words from it. */
export const stateWords = {
  new: { words: 'New, waiting', tone: 'wait', mark: 'new' },
  deleting: { words: 'Will be deleted', tone: 'wait', mark: 'deleting' },
  sending: { words: 'Sending', tone: 'calm', mark: 'sending' },
  checking: { words: 'Checking', tone: 'calm', mark: 'checking' },
  parked: { words: 'Needs you', tone: 'bad', mark: 'parked' },
  done: { words: 'Sent', tone: 'calm', mark: 'done' },
} as const satisfies Record<string, StateWords>

export const fieldsWaiting = (n: number): StateWords => ({
  words: `${count(n, 'field')} waiting`,
  tone: 'wait',
  mark: 'waiting',
})

const heldWords: Partial<Record<WaitReason, string>> = {
  paused: 'Paused',
  connection: 'Waiting for the connection',
  key: 'Waiting for the API key',
  keychain: 'Waiting for the keychain',
  rate: 'Waiting, as the service asks',
  backoff: 'Will be tried again',
  depends: 'Waiting for another change',
  'website-limit': 'Waiting for room in the plan',
}

/** What something held waits for; `otherwise` where the reason has no words of its own. */
export function heldState(reason: WaitReason | null, otherwise: StateWords): StateWords {
  const words = reason ? heldWords[reason] : undefined
  return words ? { words, tone: 'wait', mark: reason === 'paused' ? 'paused' : 'waiting' } : otherwise
}

/** Where a website stands, in words; undefined where nothing of ours is waiting. `reason`: why it's held. */
export function websiteState(website: WebsiteView, reason: WaitReason | null): StateWords | undefined {
  const waiting = website.id === null ? stateWords.new : fieldsWaiting(website.pending.length)
  switch (website.state) {
    case 'synced':
      return undefined
    case 'changed':
      return waiting
    case 'held':
      return heldState(reason, waiting)
    default:
      return stateWords[website.state]
  }
}
