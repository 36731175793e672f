import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls'
import { certificateAuthorities } from './authorities.ts'
import type { Ending } from './ending.ts'
import { lookup } from './lookup.ts'
import { NotConnected, notConnected } from './not-connected.ts'

/** What a connection is wanted to. */
export interface Place {
  /** A name, or an address of either family without brackets. */
  host: string
  port: number
  secure: boolean
  /** A proxy's tunnel that leads there, over which TLS is spoken. */
  over?: Socket
}

export interface Dial {
  /** Rejects with {@link NotConnected}, and at once where `stop` says so. */
  open(place: Place, stop: Ending): Promise<Socket>
  /** Reads the certificate authorities, if that hasn't been done. */
  trust(): void
}

/** More services than anybody has; a session takes some kB. */
const MOST_SESSIONS = 50

/** Connects by TCP and TLS, HTTP/1.1 alone. TLS sessions are resumed. `authorities`: PEM, beside those of Node and the system. */
export function createDial(authorities: readonly string[]): Dial {
  const sessions = new Map<string, Buffer>()
  let secureContext: SecureContext | undefined
  const trust = (): SecureContext => (secureContext ??= trusting(authorities))

  function secured({ host, port, over }: Place): Socket {
    const known = `${host}:${String(port)}`
    const session = sessions.get(known)
    const socket = connectTls({
      ...(over === undefined ? { host, port, lookup } : { host, socket: over }),
      // A certificate is asked for by name; an address isn't one (RFC 6066, 3).
      servername: isIP(host) === 0 ? host : '',
      // HTTP/2 is off: a write lost with a connection that others share would be in doubt for nothing.
      ALPNProtocols: ['http/1.1'],
      secureContext: trust(),
      // Else the environment could switch it off (NODE_TLS_REJECT_UNAUTHORIZED).
      rejectUnauthorized: true,
      ...(session !== undefined && { session }),
    })
    return socket.on('session', (fresh) => {
      if (sessions.size >= MOST_SESSIONS) sessions.clear()
      sessions.set(known, fresh)
    })
  }

  return {
    open: (place, stop) =>
      new Promise((resolve, reject) => {
        if (stop.over) return reject(new NotConnected('unreachable'))
        const socket = place.secure ? secured(place) : connectTcp({ host: place.host, port: place.port, lookup })
        const end = (): void => void socket.destroy(new NotConnected('unreachable'))
        const failed = (error: Error): void => reject(notConnected(error))
        stop.on(end)
        socket
          .setNoDelay(true)
          .once(place.secure ? 'secureConnect' : 'connect', () => {
            socket.off('error', failed).on('error', () => undefined)
            resolve(socket)
          })
          .on('error', failed)
          .once('close', () => stop.off(end))
      }),
    trust: () => void trust(),
  }
}

function trusting(authorities: readonly string[]): SecureContext {
  const known = [...certificateAuthorities('default'), ...certificateAuthorities('system'), ...authorities]
  return createSecureContext({ ca: [...new Set(known)] })
}
