import { z } from 'zod'
import { differenceSideSchema } from './bulk.ts'
import { websiteLocalDataSchema } from './local-data.ts'
import { appErrorSchema } from './result.ts'
import { websiteDraftSchema } from './website.ts'

const problemKinds = [
  // The cell:
  'switch', // neither on nor off
  'choice', // none of the choices
  'clear', // "(none)" where the field is not a list
  'domain', // no domain
  'password', // a password is needed, and tables have none
  'tag', // a tag whose name is not valid
  'tags', // too many tags
  'note', // a note that is too long
  'invalid', // `message` says why
  // The row:
  'blank', // neither an id nor a domain
  'cells', // more cells than columns
  'gone', // no website has this id
  'renamed', // the website with this id has another domain
  'repeated', // `other` is the row with the same website
  'ambiguous', // several websites have this domain
] as const

const cellProblemSchema = z.object({
  kind: z.enum(problemKinds),
  /** The heading of the column, or null if the whole row is meant. */
  column: z.string().nullable(),
  value: z.string(),
  other: z.number().int().optional(),
  message: z.string().optional(),
})
export type CellProblem = z.infer<typeof cellProblemSchema>

/** `row`: the number of the row in a spreadsheet, where the headings are row 1. */
const tableProblemSchema = cellProblemSchema.extend({ row: z.number().int(), domain: z.string() })
export type TableProblem = z.infer<typeof tableProblemSchema>

const localSchema = websiteLocalDataSchema.partial()

/** A website that a table changes. `local`: its tags and note, which are not sent. */
const tableChangeSchema = z.object({
  row: z.number().int(),
  key: z.string(),
  domain: z.string(),
  /** The values that the user sees, without the fields that the service doesn't show. */
  from: differenceSideSchema,
  to: differenceSideSchema,
  /** The `updated_at` of the record that the user sees, if it is known. */
  at: z.string().optional(),
  local: z.object({ from: localSchema, to: localSchema }).optional(),
})
export type TableChange = z.infer<typeof tableChangeSchema>

const tableAdditionSchema = z.object({
  row: z.number().int(),
  draft: websiteDraftSchema.omit({ password: true }),
  local: localSchema.optional(),
})
export type TableAddition = z.infer<typeof tableAdditionSchema>

/** The effect of importing a table. Nothing is queued yet. */
export const tableSummarySchema = z.object({
  rows: z.number().int(),
  changes: z.number().int(),
  additions: z.number().int(),
  same: z.number().int(),
  problems: z.number().int(),
  turnsOnReports: z.boolean(),
  ignored: z.array(z.string()),
})
export type TableSummary = z.infer<typeof tableSummarySchema>

/**
 * The result of applying a table. `changed`: number of websites whose change is queued; `local`: number of websites of which only
 * tags or notes were changed. `refused` has the rows that could no longer be applied; `bulkChange` is the id for undo.
 */
export const tableResultSchema = z.object({
  bulkChange: z.string(),
  changed: z.number().int(),
  local: z.number().int(),
  created: z.number().int(),
  refused: z.array(z.object({ row: z.number().int(), domain: z.string(), error: appErrorSchema })),
})
export type TableResult = z.infer<typeof tableResultSchema>

/** The groups of rows in the preview of a table. */
export const tableGroups = ['changes', 'additions', 'problems'] as const

/** A page of the changes, the additions or the problems. The other two lists are empty. */
export const tablePageSchema = z.object({
  changes: z.array(tableChangeSchema),
  additions: z.array(tableAdditionSchema),
  problems: z.array(tableProblemSchema),
  pages: z.number().int(),
})
export type TablePage = z.infer<typeof tablePageSchema>
