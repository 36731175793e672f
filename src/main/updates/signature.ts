import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The part of `latest*.yml` that the release key signs. `sha512` is in base64. */
const releaseSchema = z.object({
  version: z.string(),
  files: z.array(z.object({ url: z.string(), sha512: z.string().regex(/^[\w+/]{86}==$/) })).min(1),
})
export type Release = z.infer<typeof releaseSchema>

const signedSchema = releaseSchema.extend({ signature: z.base64() })
const packageSchema = z.object({ releaseKey: z.base64() })

/** For a release, or a downloaded file, that the release key did not sign. */
export class UnverifiedUpdate extends Error {
  readonly code = 'ERR_UPDATER_INVALID_SIGNATURE'
}

/** JSON, so that two different releases never have the same bytes. */
export function signedBytes({ version, files }: Release): Buffer {
  return Buffer.from(JSON.stringify(['siteward-release', version, files.map(({ url, sha512 }) => [url, sha512])]))
}

/** Leaves out the signature. Throws if a field is missing or malformed. */
export const readRelease = (info: unknown): Release => releaseSchema.parse(info)

/** Throws {@link UnverifiedUpdate} if the release key did not sign the release. */
export function verifyRelease(info: unknown, releaseKey: KeyObject): Release {
  const read = signedSchema.safeParse(info)
  if (!read.success) throw new UnverifiedUpdate('the release is not signed')
  const signature = Buffer.from(read.data.signature, 'base64')
  if (verify(null, signedBytes(read.data), releaseKey, signature)) return readRelease(read.data)
  throw new UnverifiedUpdate('the signature of the release does not match')
}

/** Throws {@link UnverifiedUpdate} if the file on disk isn't one of the release's files. */
export function verifyFile(path: string, { files }: Release): void {
  const sha512 = createHash('sha512').update(readFileSync(path)).digest('base64')
  if (!files.some((file) => file.sha512 === sha512)) throw new UnverifiedUpdate('the file was changed')
}

/**
 * Returns the public key that `npm run dist` wrote into the packaged `package.json` (Ed25519, DER in base64), or null. Without
 * it, no update can be verified, so the app does not look for any.
 */
export function readReleaseKey(appFolder: string): KeyObject | null {
  try {
    const { releaseKey } = packageSchema.parse(JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8')))
    const key = createPublicKey({ key: Buffer.from(releaseKey, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519' ? key : null
  } catch {
    return null
  }
}
