import type { CommandValue } from '../../preload/bridge.ts'
import type { Reading, Wrong } from '../state/typed-address.ts'
import { isolated } from './visible.ts'

export const addressHint = 'As in the browser, such as https://stats.example.com'

/** What an address comes to. */
export const readingWords = ({ address, cut }: Reading): string =>
  cut === ''
    ? `Connects to ${isolated(address)}`
    : `Connects to ${isolated(address)}; “${isolated(cut)}” isn’t part of the address.`

export const insecureWords = 'Plain http isn’t encrypted: everybody on the way can read the API key.'

export const addressProblems: Record<Wrong, string> = {
  spaces: 'This isn’t an address of a service: there are spaces in it.',
  scheme: 'This isn’t an address of a service: it begins with https://, or http:// on a private network.',
  login:
    'This isn’t an address of a service: a name or a password before “@” doesn’t belong in it. The API key goes below.',
}

export const keyHint =
  'From your account’s settings on the service. It’s kept in this computer’s keychain and goes to that address alone.'
export const openPages = (address: string): string => `Open ${isolated(new URL(address).host)} in the browser`

export const checkingWords = 'Asking the service whose key this is…'

/** Whose the key is, before anything is kept. */
export function foundWords({ account, known }: CommandValue<'checkKey'>): { head: string; more: string } {
  if (account === null) return { head: 'The service takes this key.', more: 'It doesn’t say whose it is.' }
  const who = account.name ?? account.email
  const plan = account.plan === undefined ? '' : `Plan: ${isolated(account.plan)}.`
  const here = known ? 'This computer has it already, and goes on with what it keeps of it.' : ''
  return {
    head: who === undefined ? 'The service takes this key.' : `The service takes this key: it’s ${isolated(who)}’s.`,
    more: [account.name && account.email ? `${isolated(account.email)}.` : '', plan, here].filter(Boolean).join(' '),
  }
}

export const tryWithoutPath = (origin: string): string => `Try ${isolated(origin)}`
