import type { unconnectedCodes } from '../../shared/result.ts'

/** Why no byte of a request left this computer. */
export type UnsentCode = (typeof unconnectedCodes)[number] | 'no-connection'

/** Why the response to a sent request is missing or incomplete. */
export type LostCode = 'timeout' | 'interrupted' | 'garbled' | 'too-large'

/** Tags a request of which no byte was sent, so that it was certainly not applied. */
export class NeverSent extends Error {
  override readonly name = 'NeverSent'
  readonly code: UnsentCode
  /** HTTP status of a proxy that refused to open a tunnel. */
  readonly status: number | undefined

  constructor(code: UnsentCode, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super('', { cause })
    this.code = code
    this.status = status
  }
}

/** Tags a response that the client stopped waiting for or refuses to read. */
export class AbandonedRequest extends Error {
  override readonly name = 'AbandonedRequest'
  readonly code: LostCode

  constructor(code: LostCode) {
    super()
    this.code = code
  }
}

/** For an error before the first byte was sent. `fallback`: the code for an unknown cause. */
export function neverSent(cause: unknown, fallback: UnsentCode = 'unreachable'): NeverSent {
  const tagged = causes(cause).find((each) => each instanceof NeverSent)
  if (tagged !== undefined) return tagged
  const code = CODES.find(([pattern]) => pattern.test(codeOf(cause)))?.[1]
  return new NeverSent(code ?? fallback, { cause })
}

/** TLS alerts for a refused or missing client certificate (RFC 8446, 6.2), as OpenSSL and BoringSSL name them. */
const CERTIFICATE_REFUSED_ALERT =
  /^ERR_SSL_(SSLV3|TLSV1|TLSV13|SSL\/TLS)_(ALERT_)?(NO_CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(REVOKED|EXPIRED|UNKNOWN|REQUIRED)|UNKNOWN_CA|ACCESS_DENIED)$/

/** With TLS 1.3, the client may have begun to send the request, but the server never reads it: its handshake has failed. */
export const isClientCertificateRefused = (error: unknown): boolean =>
  causes(error).some((each) => CERTIFICATE_REFUSED_ALERT.test(codeOf(each)))

/** By the `code` of an error of Node or undici. The first pattern that matches counts. */
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

/** Returns why the response to a sent request is missing or unusable. */
export function lostCode(error: unknown): LostCode {
  const chain = causes(error)
  const givenUp = chain.find((each) => each instanceof AbandonedRequest)
  if (givenUp !== undefined) return givenUp.code
  return chain.some(isGarbled) ? 'garbled' : 'interrupted'
}

/** True if the response is not HTTP or not in its declared encoding, according to undici or zlib. */
const isGarbled = (error: Error): boolean =>
  error.name === 'HTTPParserError' || /^(UND_ERR_HEADERS_OVERFLOW$|Z_|ERR__ERROR_)/.test(codeOf(error))

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Outermost first. */
export function causes(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : []
}
