import { z } from 'zod'
import { errorCodes, type AppError } from './result.ts'

export const errorCodeSchema = z.enum(errorCodes)

export const appErrorSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  fields: z.record(z.string(), z.array(z.string())).optional(),
  status: z.number().int().optional(),
  retryAfter: z.number().optional(),
}) satisfies z.ZodType<AppError>

/** Returns the schema of a result whose value fits `value`. */
export const resultSchema = <T extends z.ZodType>(value: T) =>
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), value }),
    z.object({ ok: z.literal(false), error: appErrorSchema }),
  ])
