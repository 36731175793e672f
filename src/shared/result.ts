/** All error codes. The renderer makes the texts for users from them. */
export const errorCodes = [
  // the bridge
  'forbidden-sender',
  'flooded', // more requests than any person makes
  'malformed-request',
  'malformed-answer',
  'internal',
  // input, before anything is sent
  'invalid-input', // `fields` tells where
  'bad-address',
  // the service answered, and refused
  'unauthenticated', // 401
  'forbidden', // 403
  'not-found', // 404
  'invalid', // 422: `fields` carries the service's words
  'rate-limited', // 429: `retryAfter`
  'refused', // any other 4xx
  // the service can't be told to have answered
  // nothing was sent:
  'unreachable', // refused, no route, connect time-out
  'name-lookup', // the host's name leads nowhere
  'certificate', // its check failed
  'tls', // what answers doesn't speak it, or not as we do
  'proxy-unreachable', // none of the system's proxies answers
  'proxy-refused', // `status`: what it said
  'proxy-login', // 407; over plain http it's in doubt, as the request had to go with it
  'proxy-unsupported', // SOCKS 4, or settings that can't be read
  // sent, perhaps:
  'timeout',
  'interrupted', // reset or cut short after the request was written
  'garbled', // what came can't be read as HTTP, or not be unpacked
  'unavailable', // 5xx
  'redirected',
  'not-the-service', // a 2xx that isn't the service's JSON, or JSON that doesn't fit
  'too-large',
  'endless-list', // more websites than any account has
  // the keychain
  'keychain-missing', // no library or no provider: `message` is empty, the renderer says what to install
  'keychain-locked',
  'keychain-timeout',
  'key-missing', // no API key for this connection
  'password-missing', // a queued statistics password can't be unsealed any more
  // here
  'disk-full',
  'storage',
  'not-read', // a file that the person chose: none, or it may not be read
  'file-too-large',
  'not-text', // a file in no encoding that is read, or no text at all
  'not-written', // a file that the person chose: no such folder, or it may not be written to
  'autostart-refused', // the system keeps to its own setting of what starts with the session
  'in-use', // another process has the file open
  'newer-version', // the file was written by a newer Siteward; nothing in it was changed
  'no-connection',
  'other-account', // the key shows another account than the connection's
  'account-unclear', // the service doesn't tell whose key it is: the person has to say
  'edits-wait', // more edits would go with a connection than the person has agreed to
  'bad-file', // a file that isn't an export of ours, or is damaged
  'other-connection', // an export of another connection
  'website-gone', // no such website here
  'edit-gone', // no such edit, or already sent
  'preset-gone', // no such preset here
  'domain-listed', // another website of the list has its domain
  // a newer version of the app
  'update-unverified', // its checksum or its signature doesn't fit: nothing of it is installed
  'update-failed', // it couldn't be looked for, fetched or installed
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** The service's messages by field name (docs/interface.md#website-fields). */
export type FieldErrors = Record<string, string[]>

export interface AppError {
  code: ErrorCode
  /** The service's own message, or empty. Never a secret, never a stack trace. */
  message: string
  fields?: FieldErrors | undefined
  /** The HTTP status, if there was a response. */
  status?: number | undefined
  /** Seconds to wait before the next request. */
  retryAfter?: number | undefined
}

/** The result of whatever may fail: errors are values, not exceptions. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: AppError }

export const ok = <T>(value: T): Result<T> => ({ ok: true, value })
export const fail = (code: ErrorCode, more: Partial<Omit<AppError, 'code'>> = {}): { ok: false; error: AppError } => ({
  ok: false,
  error: { code, message: '', ...more },
})
