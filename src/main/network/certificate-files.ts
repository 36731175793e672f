import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import tls from 'node:tls'
import type { CertificateSummary } from '../../shared/network.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { Secret } from '../secrets/secret.ts'
import { clientCertificateOptions, type ClientCertificate } from '../service/tls-identity.ts'

/** A client certificate with its private key, as read from the user's files. */
export interface LoadedClientCertificate {
  client: ClientCertificate
  /** The client's own certificate (PEM), which is public. */
  certificate: string
}

/** Returns the certificates (PEM) of PEM or DER files, without any private key. Errors: `no-certificate`. */
export function readAuthorities(files: readonly Uint8Array[]): Result<string[]> {
  const found = files.flatMap((file) => certificatesIn(file))
  return found.length === 0 || found.includes(null)
    ? fail('no-certificate')
    : ok([...new Set(found.flatMap((certificate) => certificate?.toString() ?? []))])
}

/**
 * Reads a PKCS#12 file, or PEM files with a certificate and its private key. The key of PEM files gets a random passphrase,
 * even if it had none. Errors: `no-certificate`, `no-private-key`, `key-mismatch`; `wrong-passphrase`, even if `passphrase` is
 * null and the file needs one.
 */
export function readClientCertificate(
  files: readonly Uint8Array[],
  passphrase: Secret | null,
): Result<LoadedClientCertificate> {
  const [first] = files
  if (files.length === 1 && first !== undefined && !isPem(first)) return readP12(first, passphrase ?? new Secret(''))
  const texts = files.map(textOf).join('\n')
  const certificates = certificatesIn(Buffer.from(texts))
  const key = PRIVATE_KEY.exec(texts)?.[0]
  if (certificates.length === 0 || certificates.includes(null)) return fail('no-certificate')
  if (key === undefined) return fail('no-private-key')
  return clientCertificateOf(
    certificates.filter((certificate) => certificate !== null),
    key,
    passphrase,
  )
}

// A block ends at the next five dashes. Otherwise, searching a file with only BEGIN lines would take minutes.
const PRIVATE_KEY = /-----BEGIN ([A-Z]+ )*PRIVATE KEY-----(?:(?!-----)[^])*?-----END ([A-Z]+ )*PRIVATE KEY-----/
/** Matches each certificate in a PEM file. */
const CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----(?:(?!-----)[^])*?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g

const textOf = (file: Uint8Array): string => Buffer.from(file).toString('latin1')
const isPem = (file: Uint8Array): boolean => textOf(file).includes('-----BEGIN ')

/** Returns the certificates of a file, with null in place of each one that can't be read. A file without PEM is read as DER. */
function certificatesIn(file: Uint8Array): (X509Certificate | null)[] {
  if (!isPem(file)) return [parsedCertificate(file)]
  return (textOf(file).match(CERTIFICATE) ?? []).map((block) => parsedCertificate(block))
}

function parsedCertificate(certificate: string | Uint8Array): X509Certificate | null {
  try {
    return new X509Certificate(certificate)
  } catch {
    return null
  }
}

/** `certificates`: the one of the private key, and its issuers. The key gets a random passphrase, even if it had none. */
function clientCertificateOf(
  certificates: X509Certificate[],
  key: string,
  passphrase: Secret | null,
): Result<LoadedClientCertificate> {
  const isEncrypted = /ENCRYPTED/.test(key)
  if (isEncrypted && passphrase === null) return fail('wrong-passphrase')
  let privateKey
  try {
    privateKey = createPrivateKey({ key, ...(passphrase && { passphrase: passphrase.reveal() }) })
  } catch {
    return fail(isEncrypted ? 'wrong-passphrase' : 'no-private-key')
  }
  // The client's own certificate is the one of this key, not always the first: some programs write the issuers first.
  const own = certificates.find((certificate) => certificate.checkPrivateKey(privateKey))
  if (own === undefined) return fail('key-mismatch')
  const chosen = new Secret(randomBytes(32).toString('base64'))
  const sealed = privateKey.export({
    ...{ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc' },
    passphrase: chosen.reveal(),
  })
  const chain = [own, ...certificates.filter((certificate) => certificate !== own)].map(String).join('')
  return ok({ client: { format: 'pem', chain, key: String(sealed), passphrase: chosen }, certificate: String(own) })
}

/** `getCertificate` returns the context's own certificate. Node's types don't declare it. */
type NativeContext = { getCertificate?: () => Buffer | null }

function readP12(content: Uint8Array, passphrase: Secret): Result<LoadedClientCertificate> {
  if (parsedCertificate(content) !== null) return fail('no-private-key')
  const client: ClientCertificate = { format: 'p12', content, passphrase }
  try {
    const native = tls.createSecureContext(clientCertificateOptions(client)).context as NativeContext
    const certificate = parsedCertificate(native.getCertificate?.() ?? '')
    return certificate === null ? fail('no-certificate') : ok({ client, certificate: certificate.toString() })
  } catch (error) {
    return fail(p12Error(error))
  }
}

/** OpenSSL and BoringSSL name their errors differently. */
function p12Error(error: unknown) {
  const text = String(error)
  if (/mac verify failure|INCORRECT_PASSWORD/i.test(text)) return 'wrong-passphrase'
  if (/private key/i.test(text)) return 'no-private-key'
  return /VALUES.MISMATCH/i.test(text) ? 'key-mismatch' : 'no-certificate'
}

/** Returns what the window shows of a certificate (PEM), or null if it can't be read. `now`: milliseconds since 1970. */
export function describeCertificate(pem: string, now: number): CertificateSummary | null {
  const certificate = parsedCertificate(pem)
  if (certificate === null) return null
  const until = Date.parse(certificate.validTo)
  return { subject: nameIn(certificate.subject), issuer: nameIn(certificate.issuer), until, expired: until < now }
}

const MAX_NAME = 200

/** Returns the common name, or else the organization. A distinguished name has one part per line. */
function nameIn(distinguished: string | undefined): string {
  const parts = (distinguished ?? '').split('\n')
  const part = parts.find((each) => each.startsWith('CN=')) ?? parts.find((each) => each.startsWith('O='))
  return (part?.replace(/^[A-Z]+=/, '') ?? parts.join(', ')).slice(0, MAX_NAME)
}
