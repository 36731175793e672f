import { fieldTable, PRIVACY, type Field } from './field-table.ts'

export { fieldTable, PRIVACY, type Field } from './field-table.ts'

type Table = typeof fieldTable
type Kind = Field['kind']

export type FieldName = keyof Table
/** The names of the fields of a kind. */
export type NameOf<K extends Kind> = { [N in FieldName]: Table[N]['kind'] extends K ? N : never }[FieldName]
/** The fields that can be written, but for `domain` (create only) and `password` (secret). */
export type SettingName = NameOf<'choice' | 'switch' | 'list'>
export type ListName = NameOf<'list'>

/** The values of a website's settings, as the app has them. */
export type WebsiteSettings = { -readonly [N in SettingName]: ValueOf<Table[N]> }
type ValueOf<F> = F extends { choices: infer Choices }
  ? Choices[keyof Choices]
  : F extends { kind: 'switch' }
    ? boolean
    : string[]

const names = Object.keys(fieldTable) as FieldName[]
const namesOf = <K extends Kind>(...kinds: K[]): NameOf<K>[] =>
  names.filter((name): name is NameOf<K> => (kinds as Kind[]).includes(fieldTable[name].kind))

export const fieldNames: readonly FieldName[] = names
export const settingNames: readonly SettingName[] = namesOf('choice', 'switch', 'list')
export const switchNames: readonly NameOf<'switch'>[] = namesOf('switch')
export const listNames: readonly ListName[] = namesOf('list')

/** The names of the settings' columns in the list. */
export const settingColumns = settingNames.map((name) => fieldTable[name].column)

/** What "List websites" sorts by. */
export const sortNames = ['id', ...namesOf('domain')] as const

type Filtered = NameOf<'choice' | 'switch'>
type FilterNameOf<F> = F extends { filter: { name: infer Name extends string } }
  ? Name
  : F extends { column: infer Column extends string }
    ? Column
    : never
type FilterWordOf<F> = F extends { choices: infer Choices }
  ? keyof Choices
  : F extends { filter: { words: readonly (infer Word)[] } }
    ? Word
    : never
type FieldFilters = { readonly [N in Filtered as FilterNameOf<Table[N]>]: readonly FilterWordOf<Table[N]>[] }

const filteredFields = namesOf('choice', 'switch').map((name) => {
  const field: Field = fieldTable[name]
  if (field.kind === 'choice') return { name, filter: field.column, values: Object.entries(field.choices) }
  if (field.kind !== 'switch') throw new Error(`${name} has no filter`)
  const [on, off] = field.filter.words
  return { name, filter: field.filter.name, values: [[on, true] as const, [off, false] as const] }
})

/** The filters that look at one field, each with the words for its values. */
export const fieldFilters = Object.fromEntries(
  filteredFields.map(({ filter, values }) => [filter, values.map(([word]) => word)]),
) as unknown as FieldFilters

/** Returns the field that a filter looks at, and the value that the word stands for. */
export function filteredField(filter: keyof FieldFilters, word: string): { name: Filtered; value: unknown } {
  const field = filteredFields.find((one) => one.filter === filter)
  if (field === undefined) throw new Error(`${filter} looks at no field`)
  return { name: field.name, value: field.values.find(([one]) => one === word)?.[1] }
}

/** True for a field that is a list of lines. */
export const isList = (name: FieldName): name is ListName => fieldTable[name].kind === 'list'

/** An object with what `make` returns for each setting. */
export const forEachSetting = <T>(make: (name: SettingName) => T): Record<SettingName, T> =>
  Object.fromEntries(settingNames.map((name) => [name, make(name)])) as Record<SettingName, T>

/** What a create has in each setting where the user has chosen nothing; sent in full, because hosts differ in their defaults. */
export const createDefaults = forEachSetting((name) => {
  const value: unknown = fieldTable[name].default
  return Array.isArray(value) ? [...(value as unknown[])] : value
}) as WebsiteSettings

/** The name that stands in a file for a value of a choice; undefined if it is none of them. */
export function choiceName(name: NameOf<'choice'>, value: unknown): string | undefined {
  return Object.entries(fieldTable[name].choices).find(([, choice]) => choice === value)?.[0]
}

/** Allowed values of docs/interface.md#the-list. */
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

/** As many presets are kept for a connection, and so many characters of a name. */
export const MOST_PRESETS = 100
export const MOST_PRESET_NAME = 60

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
 * True if the website has no statistics password. Hosts may not show whether it has one; it has none if the service says so, or
 * if the website was public or private.
 */
export const lacksPassword = (website: {
  password?: boolean | undefined
  pending: readonly FieldName[]
  privacy?: WebsiteSettings['privacy'] | undefined
}): boolean =>
  website.password !== true &&
  !website.pending.includes('password') &&
  (website.password === false || website.privacy !== PRIVACY.password)
