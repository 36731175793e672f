import { z } from 'zod'
import { tagSchema, websiteLocalDataSchema } from '../../shared/local-data.ts'
import { MAX_PRESETS } from '../../shared/fields.ts'
import { presetSchema } from '../../shared/preset.ts'
import { ok, type Result } from '../../shared/result.ts'
import { savedViewSchema } from '../../shared/saved-view.ts'
import type { AccountSectionName } from '../../shared/settings-file.ts'
import { isSameTag, MAX_TAGS } from '../../shared/tags.ts'
import { MAX_WEBSITES } from '../../shared/website.ts'
import { checkPresetChange } from '../bulk/presets.ts'
import type { OpenConnection } from '../connection/open-connection.ts'
import { compareByName, isSameName, comparableName, type ImportedNames } from './compare-values.ts'
import { MAX_VIEWS } from './saved-views.ts'

/** A list that an account keeps on this computer and that a settings file can contain, such as its tags. */
export interface AccountSection {
  /** Drops unknown fields, such as ids, or a secret that was written into the file. */
  schema: z.ZodType<unknown[]>
  /** Returns the values of an account, without those that a file cannot have. Errors: `storage`. */
  read(account: OpenConnection): Result<unknown[]>
  /** Returns the effect that {@link write} would have. `account`: null for an account that is added. Errors: `storage`. */
  compare(account: OpenConnection | null, imported: readonly unknown[]): Result<ImportedNames>
  /** Adds values, or replaces those of the same name. Errors: `invalid-input`, `disk-full`, `storage`, `newer-version`. */
  write(account: OpenConnection, imported: readonly unknown[]): Result<void>
}

/** How {@link section} reads, compares and saves the values of one list. */
interface SectionOptions<T> {
  schema: z.ZodType<T>
  /** Returns the name by which the user knows a value. No two values have the same one. */
  nameOf: (value: T) => string
  list: (account: OpenConnection) => Result<T[]>
  save: (account: OpenConnection, values: readonly T[]) => Result<void>
  /** Returns the value to store; default: `imported`. `was`: the present one of the same name. `present`: all present ones. */
  merge?: (imported: T, was: T | undefined, present: readonly T[]) => T
}

const nameOf = ({ name }: { name: string }): string => name

function section<T>({ schema, nameOf, list, save, merge = (value) => value }: SectionOptions<T>): AccountSection {
  const values = z.array(schema).max(MAX_WEBSITES)
  const read = (account: OpenConnection | null): Result<T[]> => {
    const listed = account === null ? ok([]) : list(account)
    // Leaves out values that a file can't have, such as a domain that is too long.
    return listed.ok ? ok(listed.value.flatMap((value) => schema.safeParse(value).data ?? [])) : listed
  }
  const compared = (present: readonly T[], imported: readonly T[]) => {
    const byName = new Map(present.map((value) => [comparableName(nameOf(value)), value]))
    const merged = imported.map((value) => merge(value, byName.get(comparableName(nameOf(value))), present))
    return compareByName(present, merged, nameOf)
  }
  return {
    schema: values,
    read,
    compare(account, imported) {
      const present = read(account)
      return present.ok ? ok(compared(present.value, imported as T[]).effect) : present
    },
    write(account, imported) {
      const present = read(account)
      return present.ok ? save(account, compared(present.value, imported as T[]).differing) : present
    },
  }
}

/** `id`: null for a new value. */
interface NamedValueStore<T> {
  list(): Result<(T & { id: string })[]>
  save(value: T & { id: string | null }): Result<unknown>
}

/** Saves values. A value with the name of an existing one replaces it. */
function saveNamed<T extends { name: string }>(store: NamedValueStore<T>, values: readonly T[]): Result<void> {
  const existing = store.list()
  if (!existing.ok) return existing
  for (const value of values) {
    const id = existing.value.find((one) => isSameName(one.name, value.name))?.id ?? null
    const saved = store.save({ ...value, id })
    if (!saved.ok) return saved
  }
  return ok(undefined)
}

/** A new section also needs an entry in src/shared/settings-file.ts and a name in the messages. */
export const sectionsOfAccount: Record<AccountSectionName, AccountSection> = {
  presets: section({
    schema: presetSchema.omit({ id: true }).refine(({ change }) => Object.keys(checkPresetChange(change)).length === 0),
    nameOf,
    list: ({ presets }) => presets.list(),
    save: ({ presets }, values) => saveNamed(presets, values),
    // An import doesn't change which preset the account uses for new websites.
    merge({ forNew, ...imported }, was, present) {
      const own = present.find((one) => one.forNew)
      const isForNew = own === undefined ? forNew : own === was
      return { ...imported, ...(isForNew && { forNew: true }) }
    },
  }),
  views: section({
    schema: savedViewSchema.omit({ id: true }),
    nameOf,
    list: ({ savedViews }) => savedViews.list(),
    save: ({ savedViews }, values) => saveNamed(savedViews, values),
  }),
  tags: section({
    schema: tagSchema,
    nameOf,
    list({ tags }) {
      const listed = tags.list()
      return listed.ok ? ok(listed.value.tags) : listed
    },
    save({ tags }, values) {
      const existing = tags.list()
      if (!existing.ok) return existing
      for (const value of values) {
        const was = existing.value.tags.find(({ name }) => isSameName(name, value.name))?.name ?? null
        const saved = tags.save({ ...value, was })
        if (!saved.ok) return saved
      }
      return ok(undefined)
    },
  }),
  websites: section({
    schema: websiteLocalDataSchema.extend({ domain: z.string().min(1).max(2048) }),
    nameOf: ({ domain }) => domain,
    list({ localData }) {
      const read = localData.read()
      return read.ok ? ok(read.value.websites) : read
    },
    save({ tags }, values) {
      const changed = tags.change(values.map(({ domain, ...to }) => ({ domain, to })))
      return changed.ok ? ok(undefined) : changed
    },
    merge: (imported, was) =>
      was === undefined
        ? imported
        : {
            domain: was.domain,
            tags: [...was.tags, ...imported.tags.filter((name) => !was.tags.some((one) => isSameTag(one, name)))],
            note: imported.note || was.note,
          },
  }),
}

/** The entries that each section adds to an account, and the maximum number of it. Websites add the tags that they have. */
const limits: Record<AccountSectionName, { of: 'presets' | 'views' | 'tags'; max: number }> = {
  presets: { of: 'presets', max: MAX_PRESETS },
  views: { of: 'views', max: MAX_VIEWS },
  tags: { of: 'tags', max: MAX_TAGS },
  websites: { of: 'tags', max: MAX_TAGS },
}

/** Returns the maximum that the import of `section` would exceed, or null. `account`: null if it is added. Errors: `storage`. */
export function exceededLimit(
  account: OpenConnection | null,
  section: AccountSectionName,
  imported: Partial<Record<AccountSectionName, unknown[]>>,
): Result<number | null> {
  const { of, max } = limits[section]
  const present = account === null ? ok([]) : sectionsOfAccount[of].read(account)
  if (!present.ok) return present
  const named = [...present.value, ...(imported[of] ?? [])] as { name: string }[]
  const websites = (of === 'tags' ? (imported.websites ?? []) : []) as { tags: string[] }[]
  const names = [...named.map(nameOf), ...websites.flatMap(({ tags }) => tags)]
  return ok(new Set(names.map(comparableName)).size > max ? max : null)
}
