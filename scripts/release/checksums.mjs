// @ts-check
import { createHash, sign } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { releaseKey } from './key.mjs'

const CHECKSUM_FILES = ['SHA256SUMS', 'SHA256SUMS.sig']
/** Files of electron-builder that only the build machine needs. */
const INTERNAL = /^builder-/

/**
 * Writes the SHA-256 of every file of a release into `SHA256SUMS`, as `sha256sum --check` reads it, and with the release key
 * its raw Ed25519 signature into `SHA256SUMS.sig`, as `openssl pkeyutl -verify -rawin` reads it.
 *
 * @param {string} folder
 */
export const writeChecksums = (folder) => {
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !CHECKSUM_FILES.includes(entry.name) && !INTERNAL.test(entry.name),
  )
  const lines = files
    .map(
      ({ name }) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
    .sort((one, other) => (one.slice(66) < other.slice(66) ? -1 : 1))
  const text = Buffer.from(lines.join(''))
  writeFileSync(join(folder, 'SHA256SUMS'), text)
  const key = releaseKey()
  if (key !== null) writeFileSync(join(folder, 'SHA256SUMS.sig'), sign(null, text, key.private))
}
