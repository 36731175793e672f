import { z } from 'zod'
import { listNames, MAX_BULK_WEBSITES, MAX_INPUT, type ListName } from './fields.ts'
import { MAX_SEARCH } from './search.ts'
import { listQuerySchema, pageSizeSchema, seenSettingsSchema, websiteSettingsSchema } from './website.ts'

/** The text of a list as it is typed, at most as long as the longest list that can be saved. */
const list = z.string().max(MAX_INPUT.lines * (MAX_INPUT.line + 1))

/** The typed values of the editor. A list is one text. */
const fields = z.strictObject({
  domain: z.string().max(2048).optional(),
  ...websiteSettingsSchema.partial().shape,
  ...(Object.fromEntries(listNames.map((name) => [name, list.optional()])) as Record<
    ListName,
    z.ZodOptional<z.ZodString>
  >),
})

/** The unsaved input of the editor, without the password, which must be typed again. */
const formDraftSchema = z.strictObject({
  /** Null for a new website. */
  website: z.string().min(1).max(100).nullable(),
  typed: fields,
  /** The values of the other fields of an existing website, in case the website is deleted. */
  values: fields.optional(),
  /** The values that the website had in the typed fields when the user typed. */
  seen: seenSettingsSchema,
  /** The `updated_at` of the record that the user saw when they began to type. Absent for a new website. */
  seenAt: z.string().max(100).optional(),
  /** The lists that the user wants to clear although the service doesn't show them. */
  cleared: z.array(z.enum(listNames)).max(listNames.length),
  /** The preset that a new website started with. `typed` already contains its settings. */
  preset: z.string().max(100).optional(),
})
export type FormDraft = z.infer<typeof formDraftSchema>

/** Maximum number of restored drafts beside the form that is open. The oldest ones beyond it are dropped. */
export const MAX_KEPT_DRAFTS = 20

const { sort, sort_by } = listQuerySchema.shape
const row = z.number().int().min(0)

/** The keys of the selected websites or, with `all`, of those that are not selected. */
export const listSelectionSchema = z.strictObject({
  all: z.boolean(),
  keys: z.array(z.string().min(1).max(100)).max(MAX_BULK_WEBSITES),
})
export type ListSelection = z.infer<typeof listSelectionSchema>

/** The place of the user in the list of websites: query, page, row and selection. */
const listPlaceSchema = z.strictObject({
  view: z.string().min(1).max(100).optional(),
  search: z.string().max(MAX_SEARCH),
  sortBy: sort_by.unwrap(),
  sort: sort.unwrap(),
  perPage: pageSizeSchema,
  page: z.number().int().min(1).max(100_000),
  /** The row that the Tab key focuses, counted from the start of the page. */
  active: row,
  top: row,
  chosen: listSelectionSchema,
})
export type ListPlace = z.infer<typeof listPlaceSchema>

/** The unfinished work of the user. Main keeps it for a page that closes or crashes, and stores typed text on disk. */
export const formDraftsSchema = z.object({
  account: z.string().min(1).max(100).nullable(),
  form: formDraftSchema.nullable(),
  /** Restored drafts that the user left without typing more, oldest first. Shown when their websites are opened. */
  aside: z.array(formDraftSchema).max(MAX_KEPT_DRAFTS).optional(),
  list: listPlaceSchema,
  /** True while some input cannot be kept, such as a secret that is being typed. The page is not closed then. */
  held: z.boolean(),
  /** True while text is typed outside of the editor. Quitting the app would lose it. */
  typed: z.boolean().optional(),
})
export type FormDrafts = z.infer<typeof formDraftsSchema>
