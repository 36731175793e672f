import { z } from 'zod'
import {
  fieldTable,
  mapSettings,
  settingNames,
  type Field,
  type SettingName,
  type WebsiteSettings,
} from '../../shared/fields.ts'

/** The settings as the service writes them: a switch as 0 or 1, a list as one text. */
export type SampleSettings = { [N in SettingName]: Written<WebsiteSettings[N]> }
/** The type of a value in a record of the service: a switch is 0 or 1, and a list is one text. */
type Written<T> = T extends boolean ? 0 | 1 : T extends string[] ? string | null : T

function schemaOf(field: Field): z.ZodType {
  if (field.kind === 'choice') return z.literal(Object.values(field.choices))
  return field.kind === 'switch' ? z.literal([0, 1]) : z.string().nullable()
}

const defaultSettings = mapSettings((name) => {
  const { default: value } = fieldTable[name]
  return Array.isArray(value) ? null : Number(value)
}) as SampleSettings

/** A missing setting gets its default, because the journal of an earlier version lacks newer settings. */
const storedSettingSchema = (name: SettingName): z.ZodType => schemaOf(fieldTable[name]).default(defaultSettings[name])

/** A website as the sample service stores it in its journal. */
export const storedWebsiteSchema = z.object({
  id: z.int().positive(),
  domain: z.string(),
  ...(mapSettings(storedSettingSchema) as { [N in SettingName]: z.ZodType<SampleSettings[N]> }),
  /** `salt:hash`, or a text that no password matches. Null if no password is set. */
  password: z.string().nullable(),
  favorited_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type SampleWebsite = z.infer<typeof storedWebsiteSchema>

/** The fields that a write can set. */
export type SampleFields = Omit<SampleWebsite, 'id' | 'favorited_at' | 'created_at' | 'updated_at'>

/** The values of a new website for fields that the create leaves out. */
export const sampleDefaults: Omit<SampleFields, 'domain'> = {
  ...defaultSettings,
  password: null,
}

/** The settings in a response. Like some hosts, the service never shows `exclude_params`. */
const shownSettings = settingNames.filter((name) => name !== 'exclude_params')

/** As in a response: `password` is a boolean, and `exclude_params` is left out. */
export const toAnswer = (website: SampleWebsite) => ({
  id: website.id,
  object: 'website',
  domain: website.domain,
  ...Object.fromEntries(shownSettings.map((name) => [name, website[name]])),
  password: website.password !== null,
  favorite: website.favorited_at !== null,
  favorited_at: website.favorited_at,
  created_at: website.created_at,
  updated_at: website.updated_at,
})
