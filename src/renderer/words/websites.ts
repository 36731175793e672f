import type { FieldName, Privacy, WebsiteView } from '../../shared/website.ts'
import { count } from './numbers.ts'

export type Tone = 'wait' | 'bad' | 'calm'

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

/** A field of the service by its name on the screens; one that nobody has heard of by its own. */
export const fieldName = (name: string): string => (name in fieldWords ? fieldWords[name as FieldName] : name)

/** Where the service shows nothing, so do we. */
export const onOff = (value: boolean | undefined): string => (value === undefined ? '–' : value ? 'On' : 'Off')
export const privacyOf = (value: Privacy | undefined): string => (value === undefined ? '–' : privacyWords[value])

/** Where a website stands, in words; undefined where nothing of ours is waiting. */
export function websiteState(website: WebsiteView): { words: string; tone: Tone } | undefined {
  switch (website.state) {
    case 'synced':
      return undefined
    case 'new':
      return { words: 'New, waiting', tone: 'wait' }
    case 'changed':
      return { words: `${count(website.pending.length, 'field')} waiting`, tone: 'wait' }
    case 'deleting':
      return { words: 'Will be deleted', tone: 'wait' }
    case 'sending':
      return { words: 'Sending', tone: 'calm' }
    case 'checking':
      return { words: 'Checking', tone: 'calm' }
    case 'held':
      return { words: website.id === null ? 'New, on hold' : 'On hold', tone: 'wait' }
    case 'parked':
      return { words: 'Needs you', tone: 'bad' }
  }
}
