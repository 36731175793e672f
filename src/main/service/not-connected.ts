import type { ErrorCode } from '../../shared/result.ts'

/** Why not a byte of a request left this machine. */
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

/** No connection came about, so nothing of the request was sent. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected'
  readonly code: UnsentCode
  /** The HTTP status of a proxy that answered in the service's place. */
  readonly status: number | undefined

  constructor(code: UnsentCode, { status, cause }: { status?: number | undefined; cause?: unknown } = {}) {
    super('', { cause })
    this.code = code
    this.status = status
  }
}

/** What a failure to connect to the service itself means. */
export function notConnected(cause: unknown): NotConnected {
  if (cause instanceof NotConnected) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const meaning = MEANINGS.find(([codes]) => codes.test(code))
  return new NotConnected(meaning?.[1] ?? 'unreachable', { cause })
}

const MEANINGS: [codes: RegExp, UnsentCode][] = [
  // As Node documents them (tls, "X509 certificate error codes").
  [
    /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|CRL_|ERROR_IN_C|ERR_TLS_CERT)/,
    'certificate',
  ],
  [/^(EPROTO$|ERR_SSL_)/, 'tls'],
  [/^(ENOTFOUND$|EAI_)/, 'name-lookup'],
]
