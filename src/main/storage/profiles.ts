import { profileSchema, type Profile } from '../../shared/profile.ts'
import { ok, type Result } from '../../shared/result.ts'
import { readJson } from './json.ts'
import { notesIn } from './notes.ts'
import { reading, transact, type Db } from './sqlite.ts'

/** The profiles of a connection, in its file. */
export interface ProfileStore {
  /** Those that can be read. Errors: `storage`. */
  profiles(): Result<Profile[]>
  /** Errors: `disk-full`, `storage`, `newer-version`. */
  saveProfile(profile: Profile): Result<void>
  /** Errors: as for {@link ProfileStore.saveProfile}. */
  removeProfile(id: string): Result<void>
}

/** A note is known by its name in a damaged file too, where it's one word (rows.ts). */
const PREFIX = 'profile_'
const noteOf = (id: string): string => PREFIX + id.replaceAll(/\W/g, '_')

/** Each is a note of its own, so that a damaged one doesn't take the others with it. */
export function profileStore(db: Db): ProfileStore {
  const all = db.prepare<[string], string>(`SELECT value FROM meta WHERE substr(name, 1, ${PREFIX.length}) = ?`).pluck()
  const notes = notesIn(db, 'meta')
  return {
    profiles: () =>
      reading(() => ok(all.all(PREFIX).flatMap((value) => profileSchema.safeParse(readJson(value)).data ?? []))),
    saveProfile: (profile) => transact(db, () => ok(notes.set(noteOf(profile.id), profile))),
    removeProfile: (id) => transact(db, () => ok(notes.remove(noteOf(id)))),
  }
}
