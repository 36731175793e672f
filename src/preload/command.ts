import { z } from 'zod'

/** A command of the contract (bridge.ts): what is asked with it, and what it answers. */
export const command = <Q extends z.ZodType, A extends z.ZodType>(request: Q, answer: A) => ({ request, answer })

/** Of a website, an edit, and whatever else is known by a name of ours. */
export const key = z.string().min(1).max(100)
export const nothing = z.void()
