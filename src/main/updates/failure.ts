import type { ErrorCode } from '../../shared/result.ts'
import { isNodeDiskFull } from '../storage/files.ts'

/** The codes of electron-updater's errors for a download that can't be verified. */
const unverified = ['ERR_CHECKSUM_MISMATCH', 'ERR_UPDATER_INVALID_SIGNATURE', 'ERR_UPDATER_NO_CHECKSUM']

/** Uses only the codes of electron-updater, macOS and Node, never the error's message. */
export function failureCode(thrown: unknown): ErrorCode {
  if (!(thrown instanceof Error)) return 'update-failed'
  if ('domain' in thrown && thrown.domain === 'SQRLCodeSignatureErrorDomain') return 'update-unverified'
  if (isNodeDiskFull(thrown)) return 'disk-full'
  const code = 'code' in thrown ? thrown.code : null
  return typeof code === 'string' && unverified.includes(code) ? 'update-unverified' : 'update-failed'
}
