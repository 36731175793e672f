import { z } from 'zod'
import { MAX_PRESET_NAME } from './fields.ts'
import { columnNames } from './list-settings.ts'
import { MAX_SEARCH } from './search.ts'
import { isPresetName } from './validate.ts'
import { listQuerySchema } from './website.ts'

const { sort, sort_by } = listQuerySchema.shape

/** The parts of the list that a saved view keeps: the search with its filters, the order and the columns. */
const arrangementSchema = z.object({
  search: z.string().max(MAX_SEARCH),
  sortBy: sort_by.unwrap(),
  sort: sort.unwrap(),
  columns: z.array(z.enum(columnNames)).max(columnNames.length),
})
export type Arrangement = z.infer<typeof arrangementSchema>

/** A saved view as it is stored. */
export const savedViewSchema = arrangementSchema.extend({
  id: z.string().min(1).max(100),
  name: z.string().trim().max(MAX_PRESET_NAME).refine(isPresetName),
})
export type SavedView = z.infer<typeof savedViewSchema>

/** A view to save, before its name is checked. The `id` of a new view is null. */
export const viewDraftSchema = arrangementSchema.extend({
  id: savedViewSchema.shape.id.nullable(),
  name: z.string().max(1000),
})
