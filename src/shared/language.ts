import { z } from 'zod'
import { locales } from '../messages/index.ts'

const languageSchema = z.enum(locales)

/** The language that the user has chosen; `system`: the one that the operating system asks for. */
export const languageSettingSchema = z.enum(['system', ...locales])
export type LanguageSetting = z.infer<typeof languageSettingSchema>

export const languageStateSchema = z.object({
  /** The language of all texts. */
  shown: languageSchema,
  /** The language for the setting `system`. */
  system: languageSchema,
  /** BCP 47 tag for dates, numbers and lists. It adds the system's region if that is of the same language: `en-GB`. */
  formats: z.string(),
})
export type LanguageState = z.infer<typeof languageStateSchema>
