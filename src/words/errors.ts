import type { KeychainState } from '../shared/connection.ts'
import type { AppError, ErrorCode } from '../shared/result.ts'
import { MOST_WEBSITES } from '../shared/website.ts'
import { durationWords } from './durations.ts'
import { number } from './numbers.ts'
import { isolated } from './visible.ts'
import { fieldName } from './websites.ts'

/** What happened, and what can be done about it. */
export interface Told {
  what: string
  todo: string
}

const ours = { what: 'Something went wrong inside Siteward.', todo: 'Try again. If it stays, restart the app.' }

const silentBehind = {
  what: 'Something in front of the service answers, but the service itself doesn’t.',
  todo: 'Try again in some minutes. If it stays, ask the service’s owner.',
}

const told: Record<ErrorCode, Told> = {
  'forbidden-sender': ours,
  flooded: ours,
  'malformed-request': ours,
  'malformed-answer': ours,
  internal: ours,
  'invalid-input': { what: 'Some of what was typed can’t be used.', todo: 'Correct the marked fields.' },
  'bad-address': {
    what: 'This isn’t an address of a service.',
    todo: 'It looks like https://stats.example.com, with a path where there is one.',
  },
  unauthenticated: {
    what: 'The service refuses this API key.',
    todo: 'Check that it was copied whole and that it wasn’t revoked.',
  },
  forbidden: {
    what: 'The service doesn’t allow this to this account.',
    todo: 'The plan may have no API access; ask the service’s owner.',
  },
  'not-found': { what: 'The service doesn’t know this.', todo: 'Refresh to see what it has.' },
  invalid: { what: 'The service refused it.', todo: 'Correct it and save again.' },
  'rate-limited': {
    what: 'The service asks to wait: too many requests.',
    todo: 'Siteward goes on by itself when the time is over.',
  },
  refused: { what: 'The service refused the request.', todo: 'Try again later, or ask the service’s owner.' },
  unreachable: {
    what: 'The service can’t be reached.',
    todo: 'Check the address and the network connection.',
  },
  'name-lookup': {
    what: 'The name of the service’s host leads nowhere.',
    todo: 'Check its spelling, and the network connection.',
  },
  certificate: {
    what: 'The service’s certificate can’t be trusted.',
    todo: 'Nothing was sent. Its owner has to renew it, or this computer has to trust who issued it.',
  },
  tls: {
    what: 'No secure connection to the service comes about.',
    todo: 'Nothing was sent. Check the port, and whether the address begins with http:// there.',
  },
  'proxy-unreachable': {
    what: 'The proxy of this computer’s network settings doesn’t answer.',
    todo: 'Check the proxy in the system’s network settings, and the network connection.',
  },
  'proxy-refused': {
    what: 'The proxy lets nothing through to the service.',
    todo: 'Check the address. If it’s right, ask whoever runs the proxy.',
  },
  'proxy-login': {
    what: 'The proxy asks for a user name and a password.',
    todo: 'Set them in the variable http_proxy or https_proxy, as in http://name:password@proxy.example:3128, and start Siteward again.',
  },
  'proxy-unsupported': {
    what: 'Siteward can’t use this computer’s kind of proxy, such as SOCKS 4.',
    todo: 'Set an HTTP, HTTPS or SOCKS 5 proxy for this address, or none, in the system’s network settings or in variables such as all_proxy.',
  },
  timeout: {
    what: 'The service took too long to answer.',
    todo: 'Try again in a moment; check the network connection if it stays.',
  },
  interrupted: { what: 'The connection broke off in the middle.', todo: 'Siteward looks up what the service has.' },
  garbled: {
    what: 'The answer can’t be read: it’s damaged, or no web server’s.',
    todo: 'Check the port, and whether the address begins with https:// there. If it stays, ask the service’s owner.',
  },
  unavailable: {
    what: 'The service is out of order just now.',
    todo: 'Try again in a moment. If it stays, ask the service’s owner.',
  },
  redirected: {
    what: 'This address leads elsewhere.',
    todo: 'The service may have moved, or this network asks to sign in first. Open the address in a browser.',
  },
  'not-the-service': {
    what: 'Something else answers at this address.',
    todo: 'Check the address, and whether this network asks to sign in first.',
  },
  'too-large': { what: 'The answer was too large to be read.', todo: 'Check the address.' },
  'endless-list': {
    what: `The service lists more websites than Siteward can keep: over ${number(MOST_WEBSITES)}, perhaps without end.`,
    todo: 'What was read so far is shown. Check the address, or ask the service’s owner.',
  },
  'keychain-missing': {
    what: 'No keychain is at hand on this computer: none is installed, or none runs in this session.',
    todo: 'Install one, such as gnome-keyring, then sign in to the desktop anew.',
  },
  'keychain-locked': { what: 'The keychain is locked.', todo: 'Unlock it, then try again.' },
  'keychain-timeout': { what: 'The keychain doesn’t answer.', todo: 'See whether it’s asking for a password.' },
  'key-missing': { what: 'There is no API key for this connection.', todo: 'Type one under Account.' },
  'password-missing': {
    what: 'The statistics password that was waiting can’t be read any more.',
    todo: 'Type it once more.',
  },
  'disk-full': { what: 'The disk is full, so nothing was kept.', todo: 'Make room, then try again.' },
  storage: { what: 'The data on this computer can’t be read or written.', todo: 'Check the disk, then restart.' },
  'not-read': { what: 'The file couldn’t be read.', todo: 'See whether it’s still there, and may be read.' },
  'file-too-large': { what: 'The file is too large.', todo: 'At most 2 MB are read: split it into several.' },
  'not-text': {
    what: 'This isn’t a text that can be read.',
    todo: 'Save it as CSV or text in UTF-8, then open it again.',
  },
  'not-written': { what: 'The file couldn’t be written there.', todo: 'Choose another folder, then try again.' },
  'autostart-refused': {
    what: 'The system keeps to its own setting of what starts at login.',
    todo: 'Change it there: on macOS in General, Login Items; on Windows in Apps, Startup.',
  },
  'in-use': { what: 'Another Siteward has this data open.', todo: 'Quit that one, then start this one again.' },
  'newer-version': {
    what: 'The data on this computer was written by a newer version of Siteward.',
    todo: 'Install the newer version again.',
  },
  'no-connection': { what: 'There is no connection to a service.', todo: 'Connect first.' },
  'other-account': {
    what: 'This key is another account’s.',
    todo: 'Use a key of the same account, or disconnect and connect anew.',
  },
  'account-unclear': {
    what: 'The service doesn’t tell whose key this is.',
    todo: 'Say whether it’s the same account’s; changes go wherever the key leads.',
  },
  'edits-wait': {
    what: 'More changes wait than were shown.',
    todo: 'Look at the list once more.',
  },
  'bad-file': {
    what: 'This file isn’t an export of pending changes, or it’s damaged.',
    todo: 'Choose a file that Siteward exported.',
  },
  'other-connection': {
    what: 'These changes were exported from another connection.',
    todo: 'Connect to that one, then import them there.',
  },
  'website-gone': { what: 'This website isn’t there any more.', todo: 'It was deleted, here or on the service.' },
  'edit-gone': { what: 'This change isn’t waiting any more.', todo: 'It was sent or taken back meanwhile.' },
  'preset-gone': { what: 'This preset isn’t there any more.', todo: 'It was deleted meanwhile.' },
  'domain-listed': {
    what: 'Another website of your list has this domain by now.',
    todo: 'Undo that one first, or leave this one to be deleted.',
  },
  'update-unverified': {
    what: 'What was fetched isn’t what its makers published.',
    todo: 'Nothing of it was installed. If it stays, tell whoever gave you Siteward.',
  },
  'update-failed': {
    what: 'The newer version couldn’t be fetched or installed.',
    todo: 'Check the network connection, then try again.',
  },
}

export const KEYCHAIN_PACKAGES = 'sudo apt-get install gnome-keyring libsecret-1-0'

/** What the keychain's state would answer to a key that is to be kept. */
export const shutKeychains: Partial<Record<KeychainState, ErrorCode>> = {
  missing: 'keychain-missing',
  locked: 'keychain-locked',
  frozen: 'keychain-timeout',
}

/** What more a status tells of the same code. */
const toldByStatus: Partial<Record<ErrorCode, Record<number, Told>>> = {
  unavailable: {
    502: silentBehind,
    503: {
      what: 'The service is closed for maintenance, or has too much to do.',
      todo: 'Try again in some minutes. If it stays, ask the service’s owner.',
    },
    504: silentBehind,
  },
  refused: {
    413: { what: 'The service takes no request of this size.', todo: 'Send fewer lines at a time.' },
  },
}

export const errorWords = (error: AppError): Told => toldByStatus[error.code]?.[error.status ?? 0] ?? told[error.code]

/** While connecting nothing is there yet that could be refreshed, looked up or gone on with. */
const toldConnecting: Partial<Record<ErrorCode, Told>> = {
  'not-found': {
    what: 'No service was found at this address.',
    todo: 'Check the address, and its path if it has one.',
  },
  refused: {
    what: 'The service refused the request.',
    todo: 'Check the address and the key, or ask the service’s owner.',
  },
  invalid: { what: 'The service refused the request.', todo: 'Check the address, and its path if it has one.' },
  interrupted: {
    what: told.interrupted.what,
    todo: 'Nothing was kept. Try again; if it stays, check the port, and whether the address begins with https:// there.',
  },
  'no-connection': { what: 'No connection was made.', todo: 'Try again.' },
}

/** The same, said of a connection that is being made. */
export function connectWords(error: AppError): Told {
  const { code, retryAfter } = error
  if (code !== 'rate-limited') return toldConnecting[code] ?? errorWords(error)
  // Up to whole minutes: who comes back too early is sent away again.
  const wait =
    retryAfter === undefined
      ? 'a minute'
      : durationWords(retryAfter > 60 ? Math.ceil(retryAfter / 60) * 60 : retryAfter)
  return { what: told[code].what, todo: `Wait ${wait}, then connect again.` }
}

/** What the service itself said, as it said it, ready to be shown: its message, and its words on fields. */
export function serviceWords(error: AppError): string[] {
  const onFields = Object.entries(error.fields ?? {}).flatMap(([field, texts]) =>
    texts.map((text) => `${isolated(fieldName(field))}: ${isolated(text)}`),
  )
  return error.message === '' ? onFields : [isolated(error.message), ...onFields]
}

/** What is known of an answer that had no words of its own; undefined where there is nothing to say. */
export function statusWords(error: AppError): string | undefined {
  if (error.status === undefined || serviceWords(error).length > 0) return undefined
  const well = error.status >= 200 && error.status < 300
  // Of one that was never read whole nobody can say whose it was.
  const whole = !['interrupted', 'garbled', 'too-large'].includes(error.code)
  return well && whole
    ? `It answered with HTTP ${error.status}, but not as the service.`
    : `It answered with HTTP ${error.status}.`
}

export const isKeychainError = (error: AppError): boolean => error.code.startsWith('keychain-')

/** An error of something that is tried again by itself, in one line: nothing is to be done about it. */
export const errorSaid = (error: AppError): string =>
  [errorWords(error).what, ...serviceWords(error).map((text) => `The service says: “${text}”`), statusWords(error)]
    .filter(Boolean)
    .join(' ')

/** Why something was refused: what is said of its fields, else what happened. */
export const reasonsOf = (error: AppError): string[] =>
  error.fields ? Object.values(error.fields).flat() : [errorWords(error).what]

/** What the service said, as it said it. */
export const serviceSays = (text: string): string => `The service says: “${text}”`
