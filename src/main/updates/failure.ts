import type { ErrorCode } from '../../shared/result.ts'

const unverified = ['ERR_CHECKSUM_MISMATCH', 'ERR_UPDATER_INVALID_SIGNATURE', 'ERR_UPDATER_NO_CHECKSUM']

/** The code for what electron-updater threw: by its own codes, macOS' domain of signatures, and Node's. Never by words. */
export function failureCode(thrown: unknown): ErrorCode {
  if (!(thrown instanceof Error)) return 'update-failed'
  if ('domain' in thrown && thrown.domain === 'SQRLCodeSignatureErrorDomain') return 'update-unverified'
  const code = 'code' in thrown ? thrown.code : null
  if (code === 'ENOSPC') return 'disk-full'
  return typeof code === 'string' && unverified.includes(code) ? 'update-unverified' : 'update-failed'
}
