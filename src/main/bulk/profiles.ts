import { listNames, MOST_PROFILES } from '../../shared/fields.ts'
import { profileChangeSchema, type Comparison, type Profile, type ProfileChange } from '../../shared/profile.ts'
import { fail, ok, type FieldErrors, type Result } from '../../shared/result.ts'
import { inputWords, tooManyProfiles } from '../../words/input.ts'
import { checkChanges, isProfileName } from '../../shared/validate.ts'
import { MOST_AT_ONCE } from '../../shared/bulk.ts'
import type { DiffersFrom } from '../replica/fits.ts'
import type { View } from '../replica/view.ts'
import type { ProfileStore } from '../storage/profiles.ts'
import type { Bulk } from './bulk.ts'
import { differs } from './changes.ts'

/** Websites of a comparison that are shown at once. */
const PAGE = 50

/** Named sets of settings: kept here, never sent. Errors of all that write: `disk-full`, `storage`, `newer-version`. */
export interface Profiles {
  /** By their names. Errors: `storage`. */
  list(): Result<Profile[]>
  /** A new one where `id` is null. Errors: `invalid-input` with `fields` (`name`, `change`), `profile-gone`. */
  save(asked: { id: string | null; name: string; change: ProfileChange }): Result<Profile>
  remove(id: string): Result<void>
  /** What the list is filtered by. */
  differsFrom: DiffersFrom
}

export function createProfiles({ store, newId }: { store: ProfileStore; newId: () => string }): Profiles {
  const byName = new Intl.Collator(undefined, { numeric: true })
  const list = (): Result<Profile[]> => {
    const read = store.profiles()
    return read.ok ? ok(read.value.toSorted((a, b) => byName.compare(a.name, b.name))) : read
  }

  return {
    list,
    save({ id, name: typed, change: given }) {
      const read = list()
      if (!read.ok) return read
      if (id !== null && !read.value.some((one) => one.id === id)) return fail('profile-gone')
      const others = read.value.filter((one) => one.id !== id)
      const name = typed.trim().normalize()
      // Nothing else is kept, a password least of all.
      const change = profileChangeSchema.parse(given)
      const fields = checkProfile(name, change, others)
      if (Object.keys(fields).length > 0) return fail('invalid-input', { fields })
      const profile = { id: id ?? newId(), name, change }
      const saved = store.saveProfile(profile)
      return saved.ok ? ok(profile) : saved
    },
    remove: (id) => store.removeProfile(id),
    differsFrom(name) {
      const read = store.profiles()
      const profile = read.ok ? read.value.find((one) => isCalled(one, name)) : undefined
      return (website) => profile && differs(website, profile.change)
    },
  }
}

const isCalled = (profile: Profile, name: string): boolean => profile.name.toLowerCase() === name.toLowerCase()

function checkProfile(name: string, change: ProfileChange, others: readonly Profile[]): FieldErrors {
  const errors: FieldErrors = {}
  if (name === '') errors['name'] = [inputWords.noName]
  else if (!isProfileName(name)) errors['name'] = [inputWords.badName]
  else if (others.some((one) => isCalled(one, name))) errors['name'] = [inputWords.nameTaken]
  else if (others.length >= MOST_PROFILES) errors['name'] = [tooManyProfiles(MOST_PROFILES)]
  if (Object.keys(change).length === 0) errors['change'] = [inputWords.nothingSet]
  for (const list of listNames) {
    const wish = change[list]
    const lines = wish?.how === 'set' ? wish.lines : [...(wish?.add ?? []), ...(wish?.remove ?? [])]
    Object.assign(errors, checkChanges({ [list]: lines }, {}))
  }
  return errors
}

export interface ComparisonPorts {
  profiles: Pick<Profiles, 'list'>
  view: Pick<View, 'judge'>
  bulk: Pick<Bulk, 'preview'>
}

/** Which websites aren't as a profile says, and in what. `page` counts from 1. Errors: `profile-gone`, `storage`. */
export async function compareWith(
  { profiles, view, bulk }: ComparisonPorts,
  id: string,
  page: number,
): Promise<Result<Comparison>> {
  const read = profiles.list()
  if (!read.ok) return read
  const profile = read.value.find((one) => one.id === id)
  if (profile === undefined) return fail('profile-gone')
  const judged = await view.judge([{ name: 'differs', value: profile.name, not: false }])
  if (!judged.ok) return judged
  const { keys, unknown, total } = judged.value
  const differing = keys.length
  const pages = Math.max(1, Math.ceil(Math.min(differing, MOST_AT_ONCE) / PAGE))
  const from = (Math.min(page, pages) - 1) * PAGE
  const { rows } = await bulk.preview(keys.slice(from, from + PAGE), profile.change, 1)
  return ok({ total, differing, unknown, rows, pages })
}
