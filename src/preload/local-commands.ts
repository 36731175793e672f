import { z } from 'zod'
import { MAX_BULK_WEBSITES } from '../shared/bulk.ts'
import { noteSchema, tagNameSchema, tagSchema } from '../shared/local-data.ts'
import { savedViewSchema, viewDraftSchema } from '../shared/saved-view.ts'
import { MAX_TAGS } from '../shared/tags.ts'
import { settingsImportSchema } from '../shared/settings-file.ts'
import { command, key, noValue } from './command.ts'

const keys = z.array(key).max(MAX_BULK_WEBSITES)
const names = z.array(tagNameSchema).max(MAX_TAGS)

/** The commands of the contract (bridge.ts) for what stays on this computer. */
export const localCommands = {
  listViews: command(noValue, z.array(savedViewSchema)),
  /** Saves a view, a new one if `id` is null. `invalid-input`: `fields` has the errors for `name`. */
  saveView: command(viewDraftSchema, savedViewSchema),
  /** Removes a view. Succeeds if it doesn't exist. */
  removeView: command(z.object({ id: key }), noValue),
  /** Returns the tags of this connection, sorted by name. `hasNotes`: at least one website has a note. */
  listTags: command(noValue, z.object({ tags: z.array(tagSchema), hasNotes: z.boolean() })),
  /**
   * Adds a tag if `was` is null; otherwise changes the tag with the name `was`, in all websites too. `invalid-input`: `fields`
   * has the errors for `name`.
   */
  saveTag: command(tagSchema.extend({ was: tagNameSchema.nullable(), name: z.string().max(1000) }), tagSchema),
  /** Removes a tag, also from all websites, if it exists. Returns the number of the change, for `undoTags`. */
  removeTag: command(z.object({ name: tagNameSchema, unused: z.boolean().optional() }), z.number().int()),
  /** Returns how many of the websites have each tag. */
  countTags: command(z.object({ keys }), z.record(z.string(), z.number().int())),
  /** Adds tags to websites and removes others. Returns the number of the change, for `undoTags`. */
  assignTags: command(z.object({ keys, add: names, remove: names }), z.number().int()),
  /** Sets the note of a website; '' removes it. Returns the number of the change, for `undoTags`. Errors: `website-gone`. */
  setNote: command(z.object({ key, note: noteSchema }), z.number().int()),
  /**
   * Undoes a change of tags or notes by its number, except for what was changed since. Returns the number of changed websites. Errors:
   * `edit-gone`.
   */
  undoTags: command(z.object({ change: z.number().int() }), z.number().int()),
  /**
   * Exports the settings, and the accounts without their keys, to a file that main asks for. `saved` is false if the user canceled.
   * `missing` has the names of the accounts whose files can't be read. Errors: `disk-full`, `not-written`.
   */
  exportSettings: command(noValue, z.object({ saved: z.boolean(), missing: z.array(z.string()) })),
  /**
   * Asks for a settings file and returns its effect; nothing changes before {@link localCommands.finishSettingsImport}. Null if the
   * user canceled. Errors: `not-read`, `file-too-large`, `not-text`, `bad-file`; `newer-version` for a file of a newer version.
   */
  importSettings: command(noValue, settingsImportSchema.nullable()),
  /** Imports the settings file that was chosen last, if the user confirmed; otherwise drops it. Errors: `bad-file` if there is none. */
  finishSettingsImport: command(z.object({ confirmed: z.boolean() }), noValue),
} as const
