import { z } from 'zod'
import { MAX_BULK_WEBSITES } from './fields.ts'

/** Maximum number of domains that are compared at once. */
export const MAX_COMPARED = MAX_BULK_WEBSITES

/** A comparison of a list of domains with the websites of the account. */
export const listComparisonSchema = z.object({
  /** The listed domains that the account has, and those that it lacks, in the order of the list. */
  both: z.array(z.string()),
  missing: z.array(z.string()),
  /** The websites that aren't listed, sorted by domain; the first {@link MAX_COMPARED}. */
  unlisted: z.array(z.object({ key: z.string(), domain: z.string() })),
  /** The number of all websites that aren't listed. */
  unlistedCount: z.number().int(),
})
export type ListComparison = z.infer<typeof listComparisonSchema>
