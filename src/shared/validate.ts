import { getLocale, m } from '../messages/index.ts'
import { normalizeDomain } from './domain.ts'
import type { FieldErrors } from './result.ts'
import { listNames, MAX_PRESET_NAME, MAX_INPUT, PRIVACY, type ListName } from './fields.ts'
import { MAX_TAG_NAME } from './tags.ts'
import type { Privacy, WebsiteChanges, WebsiteDraft } from './website.ts'

/** The maximum size of a list, in bytes. If another client has stored a longer list, it can only be made shorter. */
const MAX_LIST_BYTES = 64 * 1024
const bytesOf = (lines: readonly string[] = []): number => new TextEncoder().encode(lines.join('\n')).length

/** Trims the lines and removes empty ones. The service keeps trailing spaces, with which a line would never match. */
export const tidyLines = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => line.split(/[\r\n]+/)).flatMap((line) => line.trim() || [])

/**
 * Returns the errors of a new website, by field (docs/interface.md#website-fields). `passwordKept`: a password typed
 * earlier is kept unless another is given.
 */
export function checkDraft(draft: WebsiteDraft, passwordKept = false): FieldErrors {
  const errors: FieldErrors = {}
  if (draft.domain.trim() === '') errors['domain'] = [m.input_domain_missing()]
  else if (normalizeDomain(draft.domain) === null) {
    errors['domain'] = [m.input_domain_invalid()]
  }
  if (draft.privacy === PRIVACY.password && !draft.password && !passwordKept)
    errors['password'] = [m.input_password_missing()]
  return { ...errors, ...checkPassword(draft.password, draft.privacy), ...checkLists(draft) }
}

/** Returns the errors of changes, by field; `current`: the website as the user sees it (docs/interface.md#website-fields). */
export function checkChanges(changes: WebsiteChanges, current: Lists & { privacy?: Privacy | undefined }): FieldErrors {
  return { ...checkPassword(changes.password, changes.privacy ?? current.privacy), ...checkLists(changes, current) }
}

type Lists = { readonly [N in ListName]?: readonly string[] | undefined }

function checkLists(lists: Lists, current: Lists = {}): FieldErrors {
  const errors: FieldErrors = {}
  for (const name of listNames) {
    const lines = lists[name]
    if (lines === undefined) continue
    if (bytesOf(lines) > Math.max(MAX_LIST_BYTES, bytesOf(current[name]))) {
      errors[name] = [m.input_list_too_long()]
    } else if (lines.length > MAX_INPUT.lines || lines.some((line) => line.length > MAX_INPUT.line)) {
      errors[name] = [
        m.input_lines_too_many({
          lines: MAX_INPUT.lines.toLocaleString(getLocale()),
          characters: MAX_INPUT.line.toLocaleString(getLocale()),
        }),
      ]
    }
  }
  return errors
}

function checkPassword(password: string | undefined, privacy: Privacy | undefined): FieldErrors {
  if (password !== undefined && password.length > MAX_INPUT.password) {
    return { password: [m.input_password_too_long({ limit: MAX_INPUT.password.toLocaleString(getLocale()) })] }
  }
  // A password is refused only for a website that is known to be public or private.
  if (!password || privacy === PRIVACY.password || privacy === undefined) return {}
  return { password: [m.input_password_needless()] }
}

/** Maximum length of a statistics password that is known to be accepted (docs/service.md#privacy-and-password). */
export const MAX_PASSWORD = 128

/** True if a password is longer than {@link MAX_PASSWORD}, so that the user is warned. Counts code points, not bytes. */
export const isLongPassword = (password: string): boolean => [...password].length > MAX_PASSWORD

/** True if a trimmed text can be an API key: one printable line, in any format. */
export const isApiKey = (typed: string): boolean => /^[\x21-\x7e]{1,4096}$/.test(typed)

/** True if a trimmed text can be the user's name for a connection: one line, or empty for the name of its account. */
export const isConnectionName = (typed: string): boolean =>
  typed.length <= 100 && /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u.test(typed)

/** Returns a text, such as the name of an account on the service, as a name for a connection: on one line, and cut if it is too long. */
export const toConnectionName = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 100)
    // The cut may have left half a character or a space at the end.
    .replace(/[\ud800-\udbff]$/, '')
    .trim()

/** True if a trimmed text can be the name of a preset: one line, without quotes, which enclose it in a filter (search.ts). */
export const isPresetName = (typed: string): boolean =>
  typed !== '' && typed.length <= MAX_PRESET_NAME && /^[^"\p{Cc}\p{Zl}\p{Zp}]*$/u.test(typed)

/** True if a trimmed text can be the name of a tag. A comma or a semicolon would separate two tags in a cell of a table. */
export const isTagName = (typed: string): boolean =>
  isPresetName(typed) && typed.length <= MAX_TAG_NAME && !/[,;]/.test(typed)
