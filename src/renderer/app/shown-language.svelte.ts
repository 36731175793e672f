import { baseLocale, overwriteGetLocale, type Locale } from '../../messages/index.ts'
import { setFormatLocale } from '../../shared/display/format.ts'
import type { LanguageState } from '../../shared/language.ts'

/** The language of the window. Svelte draws all texts again when it changes. */
export class ShownLanguage {
  #shown: Locale = $state(baseLocale)
  #formats: string = $state(baseLocale)

  constructor() {
    overwriteGetLocale(() => this.#shown)
    setFormatLocale(() => this.#formats)
  }

  show({ shown, formats }: LanguageState): void {
    this.#shown = shown
    this.#formats = formats
  }
}
