import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { Agent, buildConnector, type Dispatcher } from 'undici'

/** No connection came about, so nothing of the request was sent. Its cause tells why. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected'
}

export interface DispatcherOptions {
  /** Milliseconds for name lookup, TCP and TLS together; 10 s (sync.md, the row "online by the OS"). */
  connectTimeout?: number
  /** Certificate authorities (PEM) beside the bundled ones and the system's. */
  authorities?: readonly string[]
}

/**
 * How requests reach the service. Each has a connection of its own: one kept from earlier may have died meanwhile, and
 * a write lost with it would be in doubt for nothing. HTTP/2 is off for the same reason. TLS sessions are resumed.
 */
export function createDispatcher({ connectTimeout = 10_000, authorities = [] }: DispatcherOptions = {}): Dispatcher {
  const plain = buildConnector({ timeout: connectTimeout })
  let secure: buildConnector.connector | undefined
  const connectorFor = (protocol: string): buildConnector.connector => {
    if (protocol !== 'https:') return plain
    secure ??= buildConnector({ timeout: connectTimeout, allowH2: false, secureContext: secureContext(authorities) })
    return secure
  }
  return new Agent({
    pipelining: 0,
    allowH2: false,
    connect(options, callback) {
      connectorFor(options.protocol)(options, (...[error, socket]) =>
        error === null ? callback(null, socket) : callback(new NotConnected('', { cause: error }), null),
      )
    },
  })
}

let trusted: SecureContext | undefined

/** Some hundred certificates are parsed for one, which takes a while: those that all share are made once. */
function secureContext(authorities: readonly string[]): SecureContext {
  if (authorities.length === 0) return (trusted ??= contextWith([]))
  return contextWith(authorities)
}

function contextWith(authorities: readonly string[]): SecureContext {
  const known = [...getCACertificates('default'), ...getCACertificates('system'), ...authorities]
  return createSecureContext({ ca: [...new Set(known)] })
}
