import type { ErrorCode } from '../../shared/result.ts'

/** There was no key to send it with. */
const NO_KEY: ErrorCode[] = ['key-missing', 'keychain-missing', 'keychain-locked', 'keychain-timeout']

/** What an answer says of the key: none was there, or the service refuses it. */
export const isKeyError = (code: ErrorCode): boolean => code === 'unauthenticated' || NO_KEY.includes(code)

/** No connection came about: not a byte of a request that wasn't applied left this machine. */
const UNCONNECTED: ErrorCode[] = [
  'unreachable',
  'name-lookup',
  'certificate',
  'tls',
  'proxy-unreachable',
  'proxy-refused',
  'proxy-login',
  'proxy-unsupported',
]
export const isUnconnected = (code: ErrorCode): boolean => UNCONNECTED.includes(code)

/** A request that wasn't applied because it was never made. */
export const isNeverSent = (code: ErrorCode): boolean =>
  code === 'no-connection' || NO_KEY.includes(code) || isUnconnected(code)
