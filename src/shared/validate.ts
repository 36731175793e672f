import { getLocale, m } from '../messages/index.ts'
import { normaliseDomain } from './domain.ts'
import type { FieldErrors } from './result.ts'
import { listNames, MOST_PRESET_NAME, MOST_TYPED, PRIVACY, type ListName } from './fields.ts'
import type { Privacy, WebsiteChanges, WebsiteDraft } from './website.ts'

/** The maximum size of a list, in bytes. */
const MAX_LIST = 64 * 1024

/** One entry a line: trimmed, without empty lines; the service would keep a trailing space, and the line never match. */
export const tidyLines = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => line.split(/[\r\n]+/)).flatMap((line) => line.trim() || [])

/**
 * What keeps a new website from being sent; empty: nothing (docs/interface.md#website-fields). `passwordKept`: one that was
 * typed
 * before goes with it unless another is given.
 */
export function checkDraft(draft: WebsiteDraft, passwordKept = false): FieldErrors {
  const errors: FieldErrors = {}
  if (draft.domain.trim() === '') errors['domain'] = [m.input_domain_missing()]
  else if (normaliseDomain(draft.domain) === null) {
    errors['domain'] = [m.input_domain_invalid()]
  }
  if (draft.privacy === PRIVACY.password && !draft.password && !passwordKept)
    errors['password'] = [m.input_password_missing()]
  return { ...errors, ...checkPassword(draft.password, draft.privacy), ...checkLists(draft) }
}

/** What keeps changes from being sent; `current` is the website as the person sees it (docs/interface.md#website-fields). */
export function checkChanges(changes: WebsiteChanges, current: { privacy?: Privacy | undefined }): FieldErrors {
  return { ...checkPassword(changes.password, changes.privacy ?? current.privacy), ...checkLists(changes) }
}

function checkLists(lists: Pick<WebsiteChanges, ListName>): FieldErrors {
  const errors: FieldErrors = {}
  for (const name of listNames) {
    const lines = lists[name]
    if (lines === undefined) continue
    if (new TextEncoder().encode(lines.join('\n')).length > MAX_LIST) {
      errors[name] = [m.input_list_too_long()]
    } else if (lines.length > MOST_TYPED.lines || lines.some((line) => line.length > MOST_TYPED.line)) {
      errors[name] = [
        m.input_lines_too_many({
          lines: MOST_TYPED.lines.toLocaleString(getLocale()),
          characters: MOST_TYPED.line.toLocaleString(getLocale()),
        }),
      ]
    }
  }
  return errors
}

function checkPassword(password: string | undefined, privacy: Privacy | undefined): FieldErrors {
  if (password !== undefined && password.length > MOST_TYPED.password) {
    return { password: [m.input_password_too_long({ limit: MOST_TYPED.password.toLocaleString(getLocale()) })] }
  }
  // A host that doesn't show the privacy leaves the choice to the person.
  if (!password || privacy === PRIVACY.password || privacy === undefined) return {}
  return { password: [m.input_password_needless()] }
}

/** The longest statistics password that was seen to be taken (docs/service.md#privacy-and-password). */
export const LONGEST_PASSWORD = 128

/** Hosts were seen to refuse it; it's warned of. Characters are counted as a person sees them typed, not in bytes. */
export const isLongPassword = (password: string): boolean => [...password].length > LONGEST_PASSWORD

/** One API key, trimmed: printable, one line. The service's format is its own. */
export const isApiKey = (typed: string): boolean => /^[\x21-\x7e]{1,4096}$/.test(typed)

/** What the person calls a connection, trimmed: one line. */
export const isConnectionName = (typed: string): boolean =>
  typed.length <= 100 && /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u.test(typed)

/** What the person calls a preset, trimmed: one line, without the quotes that it stands in as a filter (search.ts). */
export const isPresetName = (typed: string): boolean =>
  typed !== '' && typed.length <= MOST_PRESET_NAME && /^[^"\p{Cc}\p{Zl}\p{Zp}]*$/u.test(typed)
