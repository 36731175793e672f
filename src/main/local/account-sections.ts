import { z } from 'zod'
import { tagSchema, websiteLocalSchema } from '../../shared/local-data.ts'
import { presetSchema } from '../../shared/preset.ts'
import { ok, type Result } from '../../shared/result.ts'
import { savedViewSchema } from '../../shared/saved-view.ts'
import type { AccountSectionName } from '../../shared/settings-file.ts'
import { MOST_WEBSITES } from '../../shared/website.ts'
import type { OpenConnection } from '../connection/open.ts'
import { compareValues, isSameName, type Effect } from './compare-values.ts'

/** A list that an account keeps on this computer, and that a settings file can contain. */
export interface AccountSection {
  /** Drops what the section doesn't know, such as ids, or a secret that somebody has written into the file. */
  schema: z.ZodType<unknown[]>
  /** Errors: `storage`. */
  read(account: OpenConnection): Result<unknown[]>
  /** Returns the effect of {@link AccountSection.write}. `account`: null for an account that is added. Errors: `storage`. */
  compare(account: OpenConnection | null, given: readonly unknown[]): Result<Effect>
  /** Adds the given values, and replaces those with the same names. Errors: `invalid-input`, `disk-full`, `storage`, `newer-version`. */
  write(account: OpenConnection, given: readonly unknown[]): Result<void>
}

interface SectionParts<T> {
  schema: z.ZodType<T>
  /** Returns the text that identifies a value, and that the user knows it by. */
  nameOf: (value: T) => string
  list: (account: OpenConnection) => Result<T[]>
  save: (account: OpenConnection, values: readonly T[]) => Result<void>
}

const nameOf = ({ name }: { name: string }): string => name

function section<T>({ schema, nameOf, list, save }: SectionParts<T>): AccountSection {
  const values = z.array(schema).max(MOST_WEBSITES)
  const read = (account: OpenConnection | null): Result<T[]> => {
    const listed = account === null ? ok([]) : list(account)
    // A service may have domains of any length. What a file can't have is left out.
    return listed.ok ? ok(listed.value.flatMap((value) => schema.safeParse(value).data ?? [])) : listed
  }
  return {
    schema: values,
    read,
    compare(account, given) {
      const own = read(account)
      return own.ok ? ok(compareValues(own.value, given as T[], nameOf).effect) : own
    },
    write(account, given) {
      const own = read(account)
      return own.ok ? save(account, compareValues(own.value, given as T[], nameOf).differing) : own
    },
  }
}

interface NamedValues<T> {
  list(): Result<(T & { id: string })[]>
  save(value: T & { id: string | null }): Result<unknown>
}

/** Saves values, with the ids of those that have the same names. */
function saveNamed<T extends { name: string }>(kept: NamedValues<T>, values: readonly T[]): Result<void> {
  const known = kept.list()
  if (!known.ok) return known
  for (const value of values) {
    const id = known.value.find((one) => isSameName(one.name, value.name))?.id ?? null
    const saved = kept.save({ ...value, id })
    if (!saved.ok) return saved
  }
  return ok(undefined)
}

/** The sections of an account. A new one is added here, in settings-file.ts of the shared, and with a name in the messages. */
export const sectionsOfAccount: Record<AccountSectionName, AccountSection> = {
  presets: section({
    schema: presetSchema.omit({ id: true }),
    nameOf,
    list: ({ presets }) => presets.list(),
    save: ({ presets }, values) => saveNamed(presets, values),
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
      const known = tags.list()
      if (!known.ok) return known
      for (const value of values) {
        const was = known.value.tags.find(({ name }) => isSameName(name, value.name))?.name ?? null
        const saved = tags.save({ ...value, was })
        if (!saved.ok) return saved
      }
      return ok(undefined)
    },
  }),
  websites: section({
    schema: websiteLocalSchema.extend({ domain: z.string().min(1).max(2048) }),
    nameOf: ({ domain }) => domain,
    list({ localData }) {
      const read = localData.read()
      return read.ok ? ok(read.value.websites) : read
    },
    save({ tags }, values) {
      const changed = tags.change(values.map(({ domain, ...to }) => ({ domain, to })))
      return changed.ok ? ok(undefined) : changed
    },
  }),
}
