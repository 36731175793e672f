import { z } from 'zod'
import { locales } from '../messages/index.ts'

const languageSchema = z.enum(locales)

export const languageSettingSchema = z.enum(['system', ...locales])
export type LanguageSetting = z.infer<typeof languageSettingSchema>

/** The languages of the app and of the system, and the formats of dates and numbers. */
export const languageStateSchema = z.object({
  shown: languageSchema,
  system: languageSchema,
  /** BCP 47 tag for dates, numbers and lists. It adds the system's region if that is of the same language: `en-GB`. */
  formats: z.string(),
})
export type LanguageState = z.infer<typeof languageStateSchema>
