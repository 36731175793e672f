import { z } from 'zod'

/** The errors of a request for which no connection was made, so that no byte of it was sent. */
export const unconnectedCodes = [
  'unreachable', // refused, no route or connect time-out
  'name-lookup', // the host name can't be resolved
  'certificate', // the certificate check failed
  'certificate-not-yet-valid', // most often, the clock of this computer is wrong
  'tls', // no TLS, or an unsupported version
  'client-certificate', // the service refused the client certificate or requires one, or the stored certificate can't be read
  'proxy-unreachable', // none of the system's proxies answers
  'proxy-refused', // 403: the proxy doesn't allow the connection
  'proxy-failed', // any other error of the proxy; `status` has its answer
  'proxy-login', // 407; over plain http the request is in doubt, as the proxy received it
  'proxy-unsupported', // SOCKS 4, or unreadable settings
] as const

/** All error codes. The renderer makes the texts for users from them. */
export const errorCodes = [
  // The bridge:
  'forbidden-sender',
  'flooded', // more requests in a short time than a user can cause
  'malformed-request',
  'malformed-answer',
  'internal',
  // Invalid input; nothing is sent:
  'invalid-input', // `fields` has the errors
  'bad-address',
  // The service rejected the request:
  'unauthenticated', // 401
  'forbidden', // 403
  'not-found', // 404
  'invalid', // 422; `fields` has the service's messages
  'rate-limited', // 429; `retryAfter` has the seconds to wait
  'refused', // any other 4xx
  // No answer of the service is known.
  // The request was never sent:
  ...unconnectedCodes,
  // The request may have been sent:
  'timeout',
  'interrupted', // reset or cut off after the request was sent
  'garbled', // the answer isn't HTTP, or can't be decoded
  'unavailable', // 5xx
  'redirected',
  'not-the-service', // a 2xx without JSON, or with JSON of another shape
  'too-large',
  'endless-list', // more websites than any account can have
  // Chosen certificates; nothing is stored:
  'no-certificate', // the file has no certificate
  'certificate-too-large', // the file is too large for a certificate
  'no-private-key', // the client certificate comes without its private key
  'key-mismatch', // the private key doesn't belong to the certificate
  'wrong-passphrase',
  // The keychain:
  'keychain-missing', // no library, no provider, or no access; the renderer says what to do
  'keychain-locked',
  'keychain-timeout',
  'key-missing', // this connection has no API key
  'password-missing', // a pending statistics password can't be unsealed
  // This computer:
  'disk-full',
  'storage',
  'not-read', // the chosen file does not exist or can't be read
  'file-too-large',
  'not-text', // the file has an unknown encoding, or is no text
  'not-a-table', // the file has no column with ids or domains
  'unmatched-quotes', // the quotation marks of a table don't match
  'table-too-large', // more rows or bytes than are imported
  'not-written', // the chosen file can't be written
  'autostart-refused', // the system doesn't allow the change of autostart
  'shortcut-taken', // the system or another program has the keys
  'in-use', // another process has the file open
  'newer-version', // a newer version wrote the file, which is unchanged
  'no-connection', // no connection is open, or the app itself has canceled the request
  'other-account', // the key belongs to another account than the connection
  'account-unclear', // the key's account is unknown, so the user is asked
  'edits-wait', // more edits would be lost than the user has agreed to
  'bad-file', // the file is damaged, or no export of this app
  'other-connection', // the export is of another connection
  'website-gone', // the website does not exist
  'edit-gone', // the edit does not exist, or is sent already
  'preset-gone', // the preset does not exist
  'domain-listed', // another website in the list has the domain
  // Updates of the app:
  'update-unverified', // wrong checksum or signature; nothing is installed
  'update-failed', // the check, download or installation failed
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** Messages about the input by field name: those of the service (docs/interface.md#website-fields) or of the app's own checks. */
export type FieldErrors = Record<string, string[]>

export const errorCodeSchema = z.enum(errorCodes)

/** An error as a value, identified by its code. */
export const appErrorSchema = z.object({
  code: errorCodeSchema,
  /** The service's own message, or empty. Never a secret, never a stack trace. */
  message: z.string(),
  fields: z.record(z.string(), z.array(z.string())).optional(),
  status: z.number().int().optional(),
  /** Seconds to wait before the next request. */
  retryAfter: z.number().optional(),
})
export type AppError = z.infer<typeof appErrorSchema>

/** The result of an operation that can fail. Errors are values, not exceptions. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: AppError }

/** Returns the schema of a {@link Result} with this value. */
export const resultSchema = <T extends z.ZodType>(value: T) =>
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), value }),
    z.object({ ok: z.literal(false), error: appErrorSchema }),
  ])

export const ok = <T>(value: T): Result<T> => ({ ok: true, value })
export const fail = (code: ErrorCode, more: Partial<Omit<AppError, 'code'>> = {}): { ok: false; error: AppError } => ({
  ok: false,
  error: { code, message: '', ...more },
})
