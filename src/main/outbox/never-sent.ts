import { unconnectedCodes, type ErrorCode } from '../../shared/result.ts'

/** Errors of a request that had no API key. */
const NO_KEY: ErrorCode[] = ['key-missing', 'keychain-missing', 'keychain-locked', 'keychain-timeout']

/** True if the service rejected the key, or if there was no key to send. */
export const isKeyError = (code: ErrorCode): boolean => code === 'unauthenticated' || NO_KEY.includes(code)

const UNCONNECTED: readonly ErrorCode[] = unconnectedCodes
/** True if no connection was made, so that no byte of the request was sent. */
export const isUnconnected = (code: ErrorCode): boolean => UNCONNECTED.includes(code)

export const isNeverSent = (code: ErrorCode): boolean =>
  code === 'no-connection' || NO_KEY.includes(code) || isUnconnected(code)
