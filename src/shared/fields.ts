import { fieldTable, PRIVACY, type Field } from './field-table.ts'

export { fieldTable, PRIVACY, type Field } from './field-table.ts'

type Table = typeof fieldTable
type Kind = Field['kind']

/** The name of a field that can be written. */
export type FieldName = keyof Table
/** The names of the fields of this kind. */
export type NameOf<K extends Kind> = { [N in FieldName]: Table[N]['kind'] extends K ? N : never }[FieldName]
/** The fields that can be written, except `domain` (create only) and `password` (secret). */
export type SettingName = NameOf<'choice' | 'switch' | 'list'>
export type ListName = NameOf<'list'>

/** The settings of a website: all fields but the domain and the password. */
export type WebsiteSettings = { -readonly [N in SettingName]: ValueOf<Table[N]> }
/** The type of a setting's values. */
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

/** The columns of the list that show settings. */
export const settingColumns = settingNames.map((name) => fieldTable[name].column)

/** The fields by which a list of websites can be sorted, by the service and in the app. */
export const sortFieldNames = ['id', ...namesOf('domain')] as const

/** The fields that have a filter. */
type FilteredFieldName = NameOf<'choice' | 'switch'>
/** The name of a field's filter: its own, or that of its column. */
type FilterNameOf<F> = F extends { filter: { name: infer Name extends string } }
  ? Name
  : F extends { column: infer Column extends string }
    ? Column
    : never
/** The values that the filter of a field can have. */
type FilterValueOf<F> = F extends { choices: infer Choices }
  ? keyof Choices
  : F extends { filter: { values: readonly (infer Value)[] } }
    ? Value
    : never
type FieldFilters = { readonly [N in FilteredFieldName as FilterNameOf<Table[N]>]: readonly FilterValueOf<Table[N]>[] }

/** The fields that have a filter. `values`: each word of the filter, with the value of the field that it stands for. */
const filteredFields = namesOf('choice', 'switch').map((name) => {
  const field: Field = fieldTable[name]
  if (field.kind === 'choice') return { name, filter: field.column, values: Object.entries(field.choices) }
  if (field.kind !== 'switch') throw new Error(`${name} has no filter`)
  const [on, off] = field.filter.values
  return { name, filter: field.filter.name, values: [[on, true] as const, [off, false] as const] }
})

/** Maps the name of each filter on a single field to the values that can be typed after it, such as `public`. */
export const fieldFilters = Object.fromEntries(
  filteredFields.map(({ filter, values }) => [filter, values.map(([word]) => word)]),
) as unknown as FieldFilters

/** Returns the field that a filter looks at, and the value of this field for which `word` stands. */
export function fieldOfFilter(filter: keyof FieldFilters, word: string): { name: FilteredFieldName; value: unknown } {
  const field = filteredFields.find((one) => one.filter === filter)
  if (field === undefined) throw new Error(`${filter} looks at no field`)
  return { name: field.name, value: field.values.find(([one]) => one === word)?.[1] }
}

export const isListField = (name: FieldName): name is ListName => fieldTable[name].kind === 'list'

/** Returns an object with the result of `make` for each setting. */
export const mapSettings = <T>(make: (name: SettingName) => T): Record<SettingName, T> =>
  Object.fromEntries(settingNames.map((name) => [name, make(name)])) as Record<SettingName, T>

/** The default settings of a create. All are sent, because installations differ in their defaults. */
export const createDefaults = mapSettings((name) => {
  const value: unknown = fieldTable[name].default
  return Array.isArray(value) ? [...(value as unknown[])] : value
}) as WebsiteSettings

/** Returns the name by which files call a value of a choice, or undefined for an unknown value. */
export function choiceName(name: NameOf<'choice'>, value: unknown): string | undefined {
  return Object.entries(fieldTable[name].choices).find(([, choice]) => choice === value)?.[0]
}

/** Page sizes that the user can choose besides `all`: the values of `per_page` in docs/interface.md#the-list. */
export const perPageValues = [10, 25, 50, 100] as const

/**
 * Maximum number of websites of an account. A hundred thousand must work, even after all of them were replaced. If a service
 * lists more, the app takes its list for an endless one.
 */
export const MAX_WEBSITES = 200_000

/** Maximum number of websites in a bulk change. */
export const MAX_BULK_WEBSITES = 20_000
/** Maximum length of a search without its filters: that of a domain. */
export const MAX_SEARCH_TEXT = 255

/** Maximum number of websites that are deleted at once. */
export const MAX_BULK_DELETE = 1000

/** `password` and `line` in characters, `lines` in lines. Longer input is refused at its field. */
export const MAX_INPUT = { password: 1000, line: 1000, lines: 10_000 } as const

/** Separates the lines of a list in one cell of a table; no line contains it. */
export const LINE_SEPARATOR = '\n'

/** Maximum number of presets of an account. */
export const MAX_PRESETS = 100
/** Maximum length of a preset's name. */
export const MAX_PRESET_NAME = 60

/** The states of a website in the list. */
export const websiteStates = [
  'synced', // has no pending edit
  'new', // was created here and is not sent yet
  'changed', // has pending changes
  'deleting', // has a pending delete
  'sending',
  'checking', // has an edit in doubt
  'held', // has a held edit
  'parked', // has a parked edit
] as const

/**
 * True if the id can be part of a request's path. False for `.` and `..`, which would change the path even encoded, and for
 * half a surrogate pair, which can't be encoded.
 */
export const isWebsiteId = (id: string): boolean =>
  id !== '' && id.length <= 1000 && id !== '.' && id !== '..' && id.isWellFormed()

/**
 * True if the website has no statistics password, neither set nor pending. If the host doesn't show whether one is set, a public
 * or private website counts as having none.
 */
export const lacksPassword = (website: {
  password?: boolean | undefined
  pending: readonly FieldName[]
  privacy?: WebsiteSettings['privacy'] | undefined
}): boolean =>
  website.password !== true &&
  !website.pending.includes('password') &&
  (website.password === false || website.privacy !== PRIVACY.password)
