/**
 * The field table: what the app has to know about each field of a website that can be written (docs/architecture.md, "The
 * field table"). Everything else that goes through the fields is derived from it: schemas, the form that is sent, what is read
 * from an answer, bulk edit, profiles, exported lists and what is searched in the database.
 */

/** The values of `privacy` (interface.md, "Website"). */
export const PRIVACY = { public: 0, private: 1, password: 2 } as const

/** `default`: what a create sends where the user has chosen nothing. */
type Field =
  /** One of some numbers, each with the name that stands for it in files. */
  | { kind: 'choice'; choices: Readonly<Record<string, number>>; default: number }
  | { kind: 'switch'; default: boolean }
  /** Lines of text; the service has them as one text. */
  | { kind: 'list'; default: readonly [] }
  /** The domain, which is chosen once, when a website is created. */
  | { kind: 'domain' }
  /** Written, and never shown by the service. */
  | { kind: 'secret' }

/** All fields, in the order in which they are shown and sent. */
export const fieldTable = {
  domain: { kind: 'domain' },
  privacy: { kind: 'choice', choices: PRIVACY, default: PRIVACY.private },
  password: { kind: 'secret' },
  email: { kind: 'switch', default: false },
  exclude_bots: { kind: 'switch', default: true },
  exclude_ips: { kind: 'list', default: [] },
  exclude_params: { kind: 'list', default: [] },
} as const satisfies Record<string, Field>

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
export const listNames: readonly ListName[] = namesOf('list')

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

/** True if a value from a file or a database is one that the setting can have. */
export function isSettingValue<N extends SettingName>(name: N, value: unknown): value is WebsiteSettings[N] {
  const field: Field = fieldTable[name]
  if (field.kind === 'choice') return Object.values(field.choices).includes(value as number)
  if (field.kind === 'switch') return typeof value === 'boolean'
  return Array.isArray(value) && value.every((line) => typeof line === 'string')
}
