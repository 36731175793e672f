import { z } from 'zod'
import { appErrorSchema } from './result.ts'
import { settingsSchema } from './state.ts'

const appSections = ['settings', 'addresses', 'accounts'] as const
/** The sections of a settings file that each account has. */
export const accountSections = ['presets', 'views', 'tags', 'websites'] as const
const sections = [...appSections, ...accountSections] as const
export type AccountSectionName = (typeof accountSections)[number]

/** The settings that a settings file contains. The omitted ones belong to this computer or to an account, or are no preference. */
export const fileSettingsSchema = settingsSchema.omit({
  ...{ paused: true, startWithSession: true, searchShortcut: true },
  ...{ statisticsAddresses: true, namedAddresses: true },
})

const importedSettingsSchema = fileSettingsSchema.partial()
export type ImportedSettings = z.infer<typeof importedSettingsSchema>

/** The effect of importing one section. `added` and `changed` have the names of its entries. */
const sectionEffectSchema = z.object({
  section: z.enum(sections),
  /** The name of the account that has the section, with its address if the name is not unique; null for a section of the app. */
  account: z.string().nullable(),
  added: z.array(z.string()),
  changed: z.array(z.string()),
  unchanged: z.number().int(),
  /** The maximum number of entries, if the section would exceed it and is therefore not imported; otherwise null. */
  limit: z.number().int().nullable(),
})
export type SectionEffect = z.infer<typeof sectionEffectSchema>

/** The effect of importing a settings file. */
export const settingsImportSchema = z.object({
  effects: z.array(sectionEffectSchema),
  settings: importedSettingsSchema,
  /** The changed templates for the addresses of statistics, by account. */
  statistics: z.array(z.object({ account: z.string(), template: z.string() })),
  /** The accounts that are not imported, because their files can't be read or written. */
  skipped: z.array(z.object({ account: z.string(), error: appErrorSchema })),
})
export type SettingsImport = z.infer<typeof settingsImportSchema>
