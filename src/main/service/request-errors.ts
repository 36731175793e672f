import type { ErrorCode } from '../../shared/result.ts'

/** Why no byte of a request left this machine. */
export type UnsentCode = Extract<
  ErrorCode,
  | 'unreachable'
  | 'name-lookup'
  | 'certificate'
  | 'tls'
  | 'proxy-unreachable'
  | 'proxy-refused'
  | 'proxy-login'
  | 'proxy-unsupported'
  | 'no-connection'
>

/** Why the answer to a request that was sent never came, or came only in part. */
export type LostCode = 'timeout' | 'interrupted' | 'garbled' | 'too-large'

/** Tags a request of which no byte was sent: it was certainly not applied. */
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

/** Tags an answer that the client itself gave up waiting for, or refuses to read. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'
  readonly code: LostCode

  constructor(code: LostCode) {
    super()
    this.code = code
  }
}

/** Tags an error that arose before the first byte of a request was sent. `otherwise` is the code of an unknown cause. */
export function neverSent(cause: unknown, otherwise: UnsentCode = 'unreachable'): NeverSent {
  const tagged = causes(cause).find((each) => each instanceof NeverSent)
  if (tagged !== undefined) return tagged
  const code = MEANINGS.find(([codes]) => codes.test(codeOf(cause)))?.[1]
  return new NeverSent(code ?? otherwise, { cause })
}

const MEANINGS: [codes: RegExp, UnsentCode][] = [
  // As Node documents them (tls, "X509 certificate error codes").
  [
    /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|CRL_|ERROR_IN_C|ERR_TLS_CERT)/,
    'certificate',
  ],
  [/^(EPROTO$|ERR_SSL_)/, 'tls'],
  [/^(ENOTFOUND$|EAI_)/, 'name-lookup'],
  [/^UND_ERR_SOCKS5_AUTH_/, 'proxy-login'],
  [/^UND_ERR_SOCKS5_REPLY_\d/, 'proxy-refused'],
]

/** The reason that an answer was lost, from the error that ended it. */
export function lostCode(error: unknown): LostCode {
  const chain = causes(error)
  const givenUp = chain.find((each) => each instanceof GivenUp)
  if (givenUp !== undefined) return givenUp.code
  return chain.some(isGarbled) ? 'garbled' : 'interrupted'
}

/** True if what came is not HTTP, or not encoded as it claims, as undici, zlib or its Brotli decoder say. */
const isGarbled = (error: Error): boolean =>
  error.name === 'HTTPParserError' || /^(UND_ERR_HEADERS_OVERFLOW$|Z_|ERR__ERROR_)/.test(codeOf(error))

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** The error and its causes, outermost first. */
export function causes(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : []
}
