import tls, { type SecureContext, type SecureContextOptions } from 'node:tls'
import type { Secret } from '../secrets/secret.ts'
import { NeverSent } from './request-errors.ts'

/** The passphrase decrypts the private key. */
export type ClientCertificate = { passphrase: Secret } & (
  | { format: 'p12'; content: Uint8Array }
  /** `chain`: the client's certificate, then its issuers. `key`: the encrypted private key. Both are PEM. */
  | { format: 'pem'; chain: string; key: string }
)

/** The TLS settings of one connection. Changed settings are a new object. */
export interface TlsIdentity {
  /** Certificate authorities (PEM) that are trusted in addition to those of the computer, also for an HTTPS proxy. */
  authorities: readonly string[]
  /** The client certificate for the service. A proxy never gets it. */
  client: ClientCertificate | null
}

/** Reads the TLS settings of the connection; null if it has none. Rejects with {@link NeverSent} if they can't be read. */
export type LoadTlsIdentity = () => Promise<TlsIdentity | null>

/** Each context is created on first use. */
export interface TlsContexts {
  /** Unique among all contexts. */
  id: number
  service: () => SecureContext
  proxy: () => SecureContext
}

/** `systemAuthorities`: returns the certificate authorities of the computer. */
export function createTlsContexts(
  id: number,
  identity: TlsIdentity | null,
  systemAuthorities: () => string[],
): TlsContexts {
  const create = (more: SecureContextOptions): SecureContext =>
    tls.createSecureContext({ ...more, ca: [...new Set([...systemAuthorities(), ...(identity?.authorities ?? [])])] })
  let proxy: SecureContext | undefined
  let service: SecureContext | undefined
  const forProxy = (): SecureContext => (proxy ??= create({}))
  const client = identity?.client ?? null
  return {
    id,
    proxy: forProxy,
    service:
      client === null
        ? forProxy
        : () => (service ??= createIdentifiedContext(() => create(clientCertificateOptions(client)))),
  }
}

export const clientCertificateOptions = (client: ClientCertificate): SecureContextOptions =>
  client.format === 'p12'
    ? { pfx: Buffer.from(client.content), passphrase: client.passphrase.reveal() }
    : { cert: client.chain, key: client.key, passphrase: client.passphrase.reveal() }

/** Throws {@link NeverSent} if the client certificate can't be used. */
function createIdentifiedContext(create: () => SecureContext): SecureContext {
  try {
    return create()
  } catch (cause) {
    throw new NeverSent('client-certificate', { cause })
  }
}
