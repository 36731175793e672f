import { unconnectedCodes, type ErrorCode } from '../../shared/result.ts'

/** Errors of a request for which there was no key. */
const NO_KEY: ErrorCode[] = ['key-missing', 'keychain-missing', 'keychain-locked', 'keychain-timeout']

/** True if the key was missing, or the service rejected it. */
export const isKeyError = (code: ErrorCode): boolean => code === 'unauthenticated' || NO_KEY.includes(code)

const UNCONNECTED: readonly ErrorCode[] = unconnectedCodes
/** True if no connection was made for the request, so that no byte of it was sent. */
export const isUnconnected = (code: ErrorCode): boolean => UNCONNECTED.includes(code)

/** True if a request failed before any of it was sent. */
export const isNeverSent = (code: ErrorCode): boolean =>
  code === 'no-connection' || NO_KEY.includes(code) || isUnconnected(code)
