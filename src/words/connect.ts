import type { CommandValue } from '../preload/bridge.ts'
import type { Reading, Wrong } from '../renderer/lib/typed-address.ts'
import { isolated } from './visible.ts'

export const addressHint = 'As in the browser, such as https://stats.example.com'

/** What an address comes to; `there`: the service has answered at it. */
export function readingWords({ address, cut }: Reading, there: boolean): string {
  const reads = `${there ? 'The service answers at' : 'Connects to'} ${isolated(address)}`
  return cut === '' ? reads : `${reads}; “${isolated(cut)}” isn’t part of the address.`
}

export const thereWords = 'The service answers there.'

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

export const connectTitles = {
  address: 'Service address',
  key: 'API key',
  connect: 'Connect',
  connecting: 'Connecting…',
}

export const connectPage = {
  title: 'Siteward',
  about: 'Looks after your websites on a web-analytics service, online and offline.',
  another: 'Add a connection',
  lastNotOpened: 'The last connection couldn’t be opened.',
  busy: 'Connecting',
  noService: 'No service at hand?',
  sample: 'Try with sample data',
  here: 'On this computer',
}
export const staysWords = (name: string): string => `${isolated(name)} stays as it is, with what isn’t sent yet.`
export const openNamed = (name: string): string => `Open ${isolated(name)}`

/** Where the keychain is shut. */
export const forThisRun = {
  said: 'Until then the key can be used without being kept: it has to be typed again at the next start.',
  use: 'Use this key for this run only',
}

/** Asked where the service doesn't tell whose key it is. */
export const sameAccount = {
  title: 'Is this the same account?',
  no: 'No, another account',
  yes: 'Yes, the same account',
  atAddress:
    'This computer has a connection to an account at this address already, and keeps with it what isn’t sent yet. If the key is another account’s, that stays as it is.',
}
/** `waiting`: what waits, in a sentence. */
export const sameAccountSaid = (waiting: string): string => `The service doesn’t tell whose key this is. ${waiting}`

export const noKey = 'Type the API key.'
export const badKey = 'A key is one line of letters, digits and signs, without spaces. Copy it once more.'
export const noAddress = 'Type the address of the service.'
