import type { unconnectedCodes } from '../../shared/result.ts'

/** The reason that no byte of a request left this machine. */
export type UnsentCode = (typeof unconnectedCodes)[number] | 'no-connection'

/** The reason that the answer to a sent request is missing or incomplete. */
export type LostCode = 'timeout' | 'interrupted' | 'garbled' | 'too-large'

/** Tags a request of which no byte was sent, so that it was certainly not applied. */
export class NeverSent extends Error {
  override readonly name = 'NeverSent'
  readonly code: UnsentCode
  /** HTTP status of the proxy that refused to open a tunnel. */
  readonly status: number | undefined

  constructor(code: UnsentCode, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super('', { cause })
    this.code = code
    this.status = status
  }
}

/** Tags an answer that the client stopped waiting for or refuses to read. */
export class AbandonedRequest extends Error {
  override readonly name = 'AbandonedRequest'
  readonly code: LostCode

  constructor(code: LostCode) {
    super()
    this.code = code
  }
}

/** Tags an error that occurred before the first byte was sent. `fallback` is the code for an unknown cause. */
export function neverSent(cause: unknown, fallback: UnsentCode = 'unreachable'): NeverSent {
  const tagged = causes(cause).find((each) => each instanceof NeverSent)
  if (tagged !== undefined) return tagged
  const code = CODES.find(([pattern]) => pattern.test(codeOf(cause)))?.[1]
  return new NeverSent(code ?? fallback, { cause })
}

/**
 * TLS alerts with which a server refuses the client's certificate, or a client without a certificate (RFC 8446, 6.2), as OpenSSL
 * and BoringSSL name them.
 */
const CERTIFICATE_REFUSED_ALERT =
  /^ERR_SSL_(SSLV3|TLSV1|TLSV13|SSL\/TLS)_(ALERT_)?(NO_CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(REVOKED|EXPIRED|UNKNOWN|REQUIRED)|UNKNOWN_CA|ACCESS_DENIED)$/

/**
 * True if the server refused the client's certificate. With TLS 1.3 such an alert arrives after the client has begun to send
 * the request, but the server's handshake has failed, so it never reads the request.
 */
export const isClientCertificateRefused = (error: unknown): boolean =>
  causes(error).some((each) => CERTIFICATE_REFUSED_ALERT.test(codeOf(each)))

/** The reasons by the `code` of an error of Node or undici. The first pattern that matches counts. */
const CODES: [pattern: RegExp, UnsentCode][] = [
  [/^CERT_NOT_YET_VALID$/, 'certificate-not-yet-valid'],
  // See "X509 certificate error codes" in Node's documentation of `tls`.
  [
    /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|CRL_|ERROR_IN_C|ERR_TLS_CERT)/,
    'certificate',
  ],
  [CERTIFICATE_REFUSED_ALERT, 'client-certificate'],
  [/^(EPROTO$|ERR_SSL_)/, 'tls'],
  [/^(ENOTFOUND$|EAI_)/, 'name-lookup'],
  [/^UND_ERR_SOCKS5_AUTH_/, 'proxy-login'],
  // "Connection not allowed by ruleset" (RFC 1928, 6).
  [/^UND_ERR_SOCKS5_REPLY_2$/, 'proxy-refused'],
  [/^UND_ERR_SOCKS5_REPLY_\d/, 'proxy-failed'],
]

/** Returns the reason that an answer was lost, from the error that ended it. */
export function lostCode(error: unknown): LostCode {
  const chain = causes(error)
  const givenUp = chain.find((each) => each instanceof AbandonedRequest)
  if (givenUp !== undefined) return givenUp.code
  return chain.some(isGarbled) ? 'garbled' : 'interrupted'
}

/** True if undici or a decoder of zlib found that the answer is not HTTP or not in its declared encoding. */
const isGarbled = (error: Error): boolean =>
  error.name === 'HTTPParserError' || /^(UND_ERR_HEADERS_OVERFLOW$|Z_|ERR__ERROR_)/.test(codeOf(error))

/** Returns the `code` of an error of Node or undici, or an empty text. */
const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Returns the error and its causes, outermost first. */
export function causes(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : []
}
