import { afterAll, beforeEach, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-svelte'
import { baseLocale, overwriteGetLocale } from '../../../src/messages/index.ts'
import { setFormatLocale } from '../../../src/shared/display/format.ts'

// All test files of a worker share a page, but the library's own cleanup works only in the first file that imports it.
beforeEach(() => cleanup())

afterAll(async () => {
  await cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  document.body.replaceChildren()
  document.documentElement.removeAttribute('style')
  overwriteGetLocale(() => baseLocale)
  setFormatLocale(() => baseLocale)
  document.documentElement.lang = baseLocale
  await page.viewport(414, 896)
})
