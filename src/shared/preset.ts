import { z } from 'zod'
import { bulkPreviewSchema, bulkPatchSchema } from './bulk.ts'
import { MOST_PRESET_NAME } from './fields.ts'
import { isPresetName } from './validate.ts'

/** The name of a preset, trimmed. */
const presetNameSchema = z.string().trim().max(MOST_PRESET_NAME).refine(isPresetName)

/** The values of a preset, as in a bulk change, without a password. */
export const presetChangeSchema = bulkPatchSchema.omit({ masked: true })
export type PresetChange = z.infer<typeof presetChangeSchema>

/** A named set of settings: applied to websites, and compared with them. */
export const presetSchema = z.object({
  id: z.string().min(1).max(100),
  name: presetNameSchema,
  change: presetChangeSchema,
})
export type Preset = z.infer<typeof presetSchema>

/** A comparison of the websites with a preset. */
export const comparisonSchema = z.object({
  /**
   * `total`: all websites; `differing`: those that differ; `unknown`: those with a field that the service does not show.
   */
  total: z.number().int(),
  differing: z.number().int(),
  unknown: z.number().int(),
  /** A page of the websites that differ, with their values and those of the preset. */
  rows: bulkPreviewSchema.shape.rows,
  pages: z.number().int(),
})
export type Comparison = z.infer<typeof comparisonSchema>
