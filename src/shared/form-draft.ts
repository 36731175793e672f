import { z } from 'zod'
import { listNames, MOST_AT_ONCE, type ListName } from './fields.ts'
import { listQuerySchema, pageSizeSchema, seenSettingsSchema, websiteSettingsSchema } from './website.ts'

const list = z.string().max(200_000)

/** What was typed into the editor and isn't saved. A password has no field here: it's typed anew. */
const formDraftSchema = z.strictObject({
  /** Null: a website to be created. */
  website: z.string().min(1).max(100).nullable(),
  typed: z.strictObject({
    domain: z.string().max(2048).optional(),
    ...websiteSettingsSchema.partial().shape,
    ...(Object.fromEntries(listNames.map((name) => [name, list.optional()])) as Record<
      ListName,
      z.ZodOptional<z.ZodString>
    >),
  }),
  /** What the website had in these fields as they were typed over. */
  seen: seenSettingsSchema,
  cleared: z.array(z.enum(listNames)).max(listNames.length),
})
export type FormDraft = z.infer<typeof formDraftSchema>

const { search, sort, sort_by } = listQuerySchema.shape
const row = z.number().int().min(0)

/** Which websites of the list are chosen, by their keys; `all`: those that aren't. */
export const chosenSchema = z.strictObject({
  all: z.boolean(),
  keys: z.array(z.string().min(1).max(100)).max(MOST_AT_ONCE),
})
export type Chosen = z.infer<typeof chosenSchema>

/** Where the list of websites was: what it showed, in which order, and which rows. */
const listPlaceSchema = z.strictObject({
  search: search.unwrap(),
  sortBy: sort_by.unwrap(),
  sort: sort.unwrap(),
  perPage: pageSizeSchema,
  page: z.number().int().min(1).max(100_000),
  /** The row that takes part in the order of Tab, and the first one in view, counted from the first of the page. */
  active: row,
  top: row,
  chosen: chosenSchema,
})
export type ListPlace = z.infer<typeof listPlaceSchema>

/** What the person is in the middle of: kept by main for a page that is let go or ends by itself; what was typed, on disk. */
export const formDraftsSchema = z.object({
  form: formDraftSchema.nullable(),
  list: listPlaceSchema,
  /** What is looked at of the changes: those that wait, or what became of them. */
  changes: z.enum(['waiting', 'sent']),
  /** Something is under way that can't be kept so, a secret that is being typed above all: the page isn't let go. */
  held: z.boolean(),
})
export type FormDrafts = z.infer<typeof formDraftsSchema>
