import type { AppError, ErrorCode } from './result.ts'

/** Errors are values: whatever may fail answers one of the two. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: AppError }

export const ok = <T>(value: T): Result<T> => ({ ok: true, value })
export const fail = (code: ErrorCode, more: Partial<Omit<AppError, 'code'>> = {}): { ok: false; error: AppError } => ({
  ok: false,
  error: { code, message: '', ...more },
})
