import { z } from 'zod'

/** Declares a command by the schemas of its request and of the value in its answer. */
export const command = <Q extends z.ZodType, A extends z.ZodType>(request: Q, answer: A) => ({ request, answer })

/** The local id of a website, an edit or another record. */
export const key = z.string().min(1).max(100)
/** The schema of a request or an answer without a value. */
export const noValue = z.void()
/** The number of a page, from 1. */
export const page = z.number().int().min(1).max(100_000)
export const perPage = z.number().int().min(1).max(100)
