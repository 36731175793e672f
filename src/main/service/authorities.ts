import tls from 'node:tls'

/**
 * Returns the bundled certificate authorities (`default`) or those that the operating system trusts (`system`), as PEM.
 * Node before 22.15 can't read the system's; the bundled ones alone are used there.
 */
export function certificateAuthorities(from: 'default' | 'system'): readonly string[] {
  // A named import would fail to link where the function is missing.
  const read = tls.getCACertificates as typeof tls.getCACertificates | undefined
  if (read !== undefined) return read(from)
  return from === 'default' ? tls.rootCertificates : []
}
