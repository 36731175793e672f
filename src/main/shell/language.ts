import { baseLocale, locales, overwriteGetLocale, type Locale } from '../../messages/index.ts'
import { setFormatLocale } from '../../shared/display/format.ts'
import type { LanguageSetting, LanguageState } from '../../shared/language.ts'

/** Everything that the main process shows is in this language. */
export interface AppLanguage {
  state(): LanguageState
  /** Follows the setting. `region`: how the system writes dates (region.ts). Returns true if another language is shown. */
  choose(setting: LanguageSetting, region: string | null): boolean
}

/** Shows the language of the system until {@link AppLanguage.choose} is called. `preferred`: BCP 47 tags, best first. */
export function createLanguage(preferred: readonly string[]): AppLanguage {
  const system = bestLanguage(preferred)
  let state: LanguageState = { shown: system, system, formats: localeForFormats(system, preferred) }
  overwriteGetLocale(() => state.shown)
  setFormatLocale(() => state.formats)
  return {
    state: () => state,
    choose(setting, region) {
      const { shown: before } = state
      const shown = setting === 'system' ? system : setting
      state = { shown, system, formats: localeForFormats(shown, region === null ? preferred : [region, ...preferred]) }
      return shown !== before
    },
  }
}

/** Returns the first preferred language that has messages, by its full tag or without its region; otherwise English. */
export function bestLanguage(preferred: readonly string[]): Locale {
  for (const tag of preferred) {
    const found = locales.find((one) => one === tag) ?? locales.find((one) => one === languageOf(tag))
    if (found !== undefined) return found
  }
  return baseLocale
}

/** Prefers a tag of the same language over the language alone, because the tag has a region. */
const localeForFormats = (language: Locale, tags: readonly string[]): string =>
  tags.find((tag) => languageOf(tag) === languageOf(language)) ?? language

/** Returns the language of a BCP 47 tag without its region, or undefined for a text that is no such tag. */
function languageOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).language
  } catch {
    return undefined
  }
}
