import { PRIVACY } from './field-table.ts'
import type { WebsiteView } from './website.ts'

export {
  createDefaults,
  fieldNames,
  listNames,
  PRIVACY,
  settingNames,
  type FieldName,
  type ListName,
} from './field-table.ts'

/**
 * What is fixed about the fields of a website, as plain values: the screens are built from them without any schema.
 * Names and allowed values are those of interface.md, "Website" and "List websites".
 */
export const perPageValues = [10, 25, 50, 100] as const

/**
 * As many websites of one account are read and kept: a hundred thousand should work, and do where all of them have been
 * replaced by others since. A host that lists more than that lists without end.
 */
export const MOST_WEBSITES = 200_000

/** As many websites are changed at once. */
export const MOST_AT_ONCE = 20_000
/** Characters of a search: a domain has no more. */
export const MOST_SEARCHED = 255

/** As many are deleted at once: it can be taken back for ten seconds, and is looked over before. */
export const MOST_DELETED = 1000

/** More than anybody types, in characters and lines; what is longer is refused at its field. */
export const MOST_TYPED = { password: 1000, line: 1000, lines: 10_000 } as const

/** Between the lines of a list where it stands in one cell of a table: no line holds one itself. */
export const LINES_BETWEEN = '\n'

/** As many profiles are kept for a connection, and so many characters of a name. */
export const MOST_PROFILES = 100
export const MOST_PROFILE_NAME = 60

/** What a person reads of where a website stands; in words in the renderer. */
export const websiteStates = [
  'synced', // nothing of ours is waiting
  'new', // created here, not there yet
  'changed', // fields are waiting
  'deleting', // a delete is waiting
  'sending',
  'checking', // in doubt: being read back
  'held', // waits for something outside: connection, key, keychain
  'parked', // needs the person
] as const

/**
 * Whether it can be the service's id: `.` and `..` would lead a path elsewhere, even when encoded; half a surrogate pair
 * can't be encoded.
 */
export const isWebsiteId = (id: string): boolean =>
  id !== '' && id.length <= 1000 && id !== '.' && id !== '..' && id.isWellFormed()

/**
 * Whether it has no statistics password so far. Hosts may not tell; it surely has none where the service says so, or where
 * the website was open to all or to nobody.
 */
export const lacksPassword = ({ password, pending, privacy }: WebsiteView): boolean =>
  password !== true && !pending.includes('password') && (password === false || privacy !== PRIVACY.password)
