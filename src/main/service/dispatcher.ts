import { setImmediate as othersTurn } from 'node:timers/promises'
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

/** To be closed by whoever made it. */
export interface ServiceDispatcher extends Dispatcher {
  /**
   * Reads and parses the certificate authorities, some hundred of them, before the first HTTPS request has to wait for
   * it. Others get their turn in between.
   */
  warm(): Promise<void>
}

/**
 * How requests reach the service. Each has a connection of its own: one kept from earlier may have died meanwhile, and
 * a write lost with it would be in doubt for nothing. HTTP/2 is off for the same reason. TLS sessions are resumed.
 */
export function createDispatcher({
  connectTimeout = 10_000,
  authorities = [],
}: DispatcherOptions = {}): ServiceDispatcher {
  const plain = buildConnector({ timeout: connectTimeout })
  let secure: buildConnector.connector | undefined
  const connectorFor = (protocol: string): buildConnector.connector => {
    if (protocol !== 'https:') return plain
    secure ??= buildConnector({ timeout: connectTimeout, allowH2: false, secureContext: secureContext(authorities) })
    return secure
  }
  const agent = new Agent({
    pipelining: 0,
    allowH2: false,
    connect(options, callback) {
      connectorFor(options.protocol)(options, (...[error, socket]) =>
        error === null ? callback(null, socket) : callback(new NotConnected('', { cause: error }), null),
      )
    },
  })
  async function warm(): Promise<void> {
    // Node keeps what it has read.
    getCACertificates('system')
    await othersTurn()
    connectorFor('https:')
  }
  return Object.assign(agent, { warm })
}

function secureContext(authorities: readonly string[]): SecureContext {
  const known = [...getCACertificates('default'), ...getCACertificates('system'), ...authorities]
  return createSecureContext({ ca: [...new Set(known)] })
}
