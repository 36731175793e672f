import { z } from 'zod'
import { bulkPreviewSchema, bulkPatchSchema } from './bulk.ts'
import { MAX_PRESET_NAME, settingNames } from './fields.ts'
import { isPresetName } from './validate.ts'
import type { WebsiteSettings } from './website.ts'

const presetNameSchema = z.string().trim().max(MAX_PRESET_NAME).refine(isPresetName)

/** A bulk change without a password: the settings that a preset applies, or those copied from a website. */
export const settingsPatchSchema = bulkPatchSchema.omit({ masked: true })
export type SettingsPatch = z.infer<typeof settingsPatchSchema>

/** A saved set of settings. */
export const presetSchema = z.object({
  id: z.string().min(1).max(100),
  name: presetNameSchema,
  change: settingsPatchSchema,
  /** True if new websites start with these settings. At most one preset has this. */
  forNew: z.boolean().optional(),
  /** True if the user is notified when a refresh finds more websites that differ from the preset. */
  watched: z.boolean().optional(),
})
export type Preset = z.infer<typeof presetSchema>

/**
 * Returns the settings with which a new website starts. A field that the preset doesn't have is absent. A list to which the
 * preset adds lines starts with these lines.
 */
export const settingsForNewWebsite = ({ change }: Pick<Preset, 'change'>): Partial<WebsiteSettings> =>
  Object.fromEntries(
    settingNames.flatMap((name): [string, unknown][] => {
      const value = change[name]
      if (value === undefined) return []
      return [[name, typeof value !== 'object' ? value : value.how === 'set' ? value.lines : value.add]]
    }),
  )

/** A page of the websites that differ from a preset, with the counts of all. */
export const presetComparisonSchema = z.object({
  total: z.number().int(),
  differing: z.number().int(),
  /** The number of websites that may differ, because the service does not show one of the fields. */
  unknown: z.number().int(),
  rows: bulkPreviewSchema.shape.rows,
  pages: z.number().int(),
})
export type PresetComparison = z.infer<typeof presetComparisonSchema>
