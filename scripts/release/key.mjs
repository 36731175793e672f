// @ts-check
import { createPrivateKey, createPublicKey } from 'node:crypto'

/**
 * Reads the release key from `SITEWARD_RELEASE_KEY`: an Ed25519 private key as PEM, such as `openssl genpkey -algorithm
 * ed25519` makes. `public` is DER in base64. Returns null if the variable is not set.
 *
 * @returns {{ private: import('node:crypto').KeyObject, public: string } | null}
 */
export const releaseKey = () => {
  const pem = process.env['SITEWARD_RELEASE_KEY']
  if (!pem) return null
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('SITEWARD_RELEASE_KEY has to be an Ed25519 key')
  return {
    private: key,
    public: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64'),
  }
}
