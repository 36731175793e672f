import { z } from 'zod'
import { bulkPreviewSchema, bulkPatchSchema } from './bulk.ts'
import { MOST_PRESET_NAME } from './fields.ts'
import { isPresetName } from './validate.ts'

/** What the person calls a preset, trimmed. */
const presetNameSchema = z.string().trim().max(MOST_PRESET_NAME).refine(isPresetName)

/** What a preset sets, as a change of many websites says it; a password is in none. */
export const presetChangeSchema = bulkPatchSchema.omit({ masked: true })
export type PresetChange = z.infer<typeof presetChangeSchema>

/** A named set of settings: applied to websites, and compared with them. */
export const presetSchema = z.object({
  id: z.string().min(1).max(100),
  name: presetNameSchema,
  change: presetChangeSchema,
})
export type Preset = z.infer<typeof presetSchema>

/** Which websites aren't as a preset says. */
export const comparisonSchema = z.object({
  /** Websites in all; those that differ, and those of which nobody can tell, as the service doesn't show a field. */
  total: z.number().int(),
  differing: z.number().int(),
  unknown: z.number().int(),
  /** Those that differ, a page of them: as they are, and as the preset says. */
  rows: bulkPreviewSchema.shape.rows,
  pages: z.number().int(),
})
export type Comparison = z.infer<typeof comparisonSchema>
