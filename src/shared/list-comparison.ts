import { z } from 'zod'

/** Maximum number of domains in the user's list. */
export const MAX_COMPARED = 100_000

/** The result of comparing a list of domains from the user with the websites of the account. */
export const listComparisonSchema = z.object({
  /** The listed domains that the account has, in the order of the list. */
  both: z.array(z.string()),
  /** The listed domains that the account lacks, in the order of the list. */
  missing: z.array(z.string()),
  /** The websites that aren't listed, sorted by domain; at most `MAX_BULK_WEBSITES`. */
  unlisted: z.array(z.object({ key: z.string(), domain: z.string() })),
  /** Counts all websites that aren't listed. */
  unlistedCount: z.number().int(),
})
export type ListComparison = z.infer<typeof listComparisonSchema>
