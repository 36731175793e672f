import { z } from 'zod'
import { appErrorSchema } from './result.ts'
import { fieldNames, settingNames, websiteSettingsSchema } from './website.ts'

/**
 * The life of an edit (docs/sync.md#edit-states):
 *
 *     queued -> sending -> done                      held: can't be sent yet
 *        ^         |
 *        |      inDoubt -> (read) -> done | queued   parked: needs attention
 *        +-- held / parked <----------'
 */
const editStates = ['queued', 'sending', 'inDoubt', 'held', 'parked', 'done'] as const
const editStateSchema = z.enum(editStates)
export type EditState = z.infer<typeof editStateSchema>

export const editKindSchema = z.enum(['create', 'update', 'delete'])
export type EditKind = z.infer<typeof editKindSchema>

/** The reasons why an edit is held or parked. */
export const waitReasons = [
  'paused', // held: the user has paused sending
  'connection', // held: the service can't be reached
  'key', // held: the key was refused or is missing
  'keychain', // held: the keychain is locked and the edit carries a password
  'rate', // held: Retry-After, or the announced rate limit is used up
  'budget', // held: the app's own limit of requests per minute, as long as the service has announced none
  'backoff', // held: the service failed, and the next try is scheduled
  'depends', // held: another edit has to be sent first
  'undo', // held: a delete can still be undone
  'website-limit', // parked: refused because of the plan's limit; held: another create was, and the user must decide about it
  'refused', // parked: the service refused it; `error` has its message
  'failing', // parked: sent five times and proven not applied each time; `error` has the last answer
  'restored', // parked: it was restored from a backup and may have been sent already
  'unread', // parked: for a long time, no read could show whether it was applied; `error` has the last answer
  'unreadable', // parked: this version can't read it; if the user discards it, its stored data is kept outside the queue
  'domain-taken', // parked: the domain is in use; `conflict` has that website if it is in this account
  'gone', // parked: the website was deleted on the service
  'adopt', // parked: a website with that domain exists and may be ours; `conflict` has it
  'password', // parked: the statistics password has to be entered again
  'conflict', // parked: both sides changed the same value, or the website to be deleted was changed; see `conflict`, `madeForDomain`
  'appeared', // parked: a discarded create was applied late; `conflict` has the website
  'vanished', // parked: a delete that seemed lost was applied late
] as const
export const waitReasonSchema = z.enum(waitReasons)
export type WaitReason = z.infer<typeof waitReasonSchema>

/** The values of one side of a conflict or of a remote change, without unknown ones. `password`: true if a password is set. */
export const sideSchema = websiteSettingsSchema.partial().extend({ password: z.boolean().optional() })
export type Side = z.infer<typeof sideSchema>

/** The sides that the user can choose for a unit of a conflict. `both`: the merged lines of a list. */
const unitChoices = ['mine', 'theirs', 'both'] as const
export type UnitChoice = (typeof unitChoices)[number]

/**
 * The three sides of an edit that can't be merged (docs/sync.md#merging). A unit is a setting; `privacy` includes the password.
 * `theirs` lacks the fields that the service doesn't show, because another client may have changed them.
 */
const conflictSchema = z.object({
  base: sideSchema,
  theirs: sideSchema,
  mine: sideSchema,
  units: z.array(
    z.object({
      unit: z.enum(settingNames),
      choices: z.array(z.enum(unitChoices)),
      /** The merged lines that the choice `both` gives, or null if `both` can't be chosen. */
      both: z.array(z.string()).nullable(),
    }),
  ),
})
export type Conflict = z.infer<typeof conflictSchema>

/**
 * The ways to resolve a parked edit, besides correcting, discarding and sending it again: `units` chooses a side for each unit, `adopt`
 * uses the existing website and sends what differs, `recreate` creates the website again without its statistics, `delete` deletes it
 * although it was changed or the existing website in place of the create, `keep` doesn't delete it.
 */
const resolveWays = ['units', 'adopt', 'recreate', 'delete', 'keep'] as const
export const resolveWaySchema = z.enum(resolveWays)
export type ResolveWay = z.infer<typeof resolveWaySchema>

/** The user's decision about a parked edit. */
export const resolutionSchema = z.discriminatedUnion('way', [
  z.object({ way: z.literal('units'), units: z.partialRecord(z.enum(settingNames), z.enum(unitChoices)) }),
  z.object({ way: z.literal('adopt') }),
  z.object({ way: z.literal('recreate'), password: z.string().max(1000).optional() }),
  z.object({ way: z.literal('delete') }),
  z.object({ way: z.literal('keep') }),
])
export type Resolution = z.infer<typeof resolutionSchema>

/**
 * The outcome of an undo.
 * `undone`: the save had not been sent. `queued`: an edit that reverses the save is pending.
 * `asks`: the user has to agree first, because the undo deletes a website and its statistics, or creates a deleted website again
 * without them.
 */
export const undoOutcomeSchema = z.enum(['undone', 'queued', 'asks'])
export type UndoOutcome = z.infer<typeof undoOutcomeSchema>

/** An edit as the Pending screen shows it. Contains no secret. */
export const editViewSchema = z.object({
  id: z.string(),
  /** True if the edit only undoes an earlier change, or was itself undone while it was being sent. */
  isUndo: z.boolean().optional(),
  website: z.string(),
  domain: z.string(),
  kind: editKindSchema,
  state: editStateSchema,
  reason: waitReasonSchema.nullable(),
  error: appErrorSchema.nullable(),
  /** The settings that will be sent, without secrets. */
  settings: websiteSettingsSchema.partial(),
  fields: z.array(z.enum(fieldNames)),
  /** True if the edit also sends a statistics password, which `settings` never has. */
  password: z.boolean(),
  /** The request as it will be made, secrets masked: method, path, and form fields in order. */
  request: z.object({ method: z.string(), path: z.string(), form: z.array(z.tuple([z.string(), z.string()])) }),
  /** Milliseconds since 1970, for display alone. */
  changedAt: z.number(),
  /** When the edit is tried next, in milliseconds since 1970, for display alone. Null: at once, or when its hold ends. */
  nextAt: z.number().nullable(),
  /** True if an earlier request of this edit may have been applied. Discarding the edit reverts that request too. */
  possiblySent: z.boolean().optional(),
  can: z.object({ undo: z.boolean(), discard: z.boolean(), sendNow: z.boolean() }),
  conflict: conflictSchema.nullable(),
  /** The time when `conflict.theirs` was read, in milliseconds since 1970, for display alone. Null if unknown. */
  theirsAt: z.number().nullable(),
  /** The ways in which the user can resolve the edit. Empty if it isn't parked, or can't be resolved. */
  ways: z.array(resolveWaySchema),
  /** True if `recreate` needs the statistics password again, because the service never shows it. */
  needsPassword: z.boolean(),
  /** True if the user answered an earlier question about this edit. The conflict shows the changes since that answer. */
  answered: z.boolean().optional(),
  /**
   * The domain for which the edit was made or imported, if the id of its website now belongs to a website with another domain.
   * The edit is parked for that reason.
   */
  madeForDomain: z.string().optional(),
})
export type EditView = z.infer<typeof editViewSchema>

/** A page of the pending edits. */
export const editPageSchema = z.object({
  edits: z.array(editViewSchema),
  total: z.number().int(),
  /** The number of parked edits on all pages. */
  parked: z.number().int(),
})
export type EditPage = z.infer<typeof editPageSchema>

/** The result of an edit that is no longer pending, with the values that the user may want to restore. Contains no secret. */
export const historyEntrySchema = z.object({
  id: z.string(),
  /** The local key of the website, or null if it no longer exists. */
  website: z.string().nullable(),
  domain: z.string(),
  kind: editKindSchema,
  /**
   * `sent`: applied. `adopted`: an existing website was used. `nothing`: the service had the values already. `repaired`: a late
   * request had changed the website, and the app corrected it. `discarded`, `undone`: by the user. `unknown`: discarded while its
   * outcome was unknown.
   */
  became: z.enum(['sent', 'adopted', 'nothing', 'repaired', 'discarded', 'undone', 'unknown']),
  settings: websiteSettingsSchema.partial(),
  password: z.boolean(),
  /** The values before the edit, as the user saw them. */
  before: websiteSettingsSchema.partial(),
  /** Remote values that were overwritten knowingly, by the user's choice or by a repair. */
  overwritten: websiteSettingsSchema.partial(),
  /** The values that the service kept instead of the sent ones. */
  ignored: websiteSettingsSchema.partial(),
  /** Milliseconds since 1970, for display alone. */
  at: z.number(),
  /** True if the edit only undid an earlier change, or was itself undone. */
  isUndo: z.boolean().optional(),
  /**
   * The actions that the user can take. `undo` queues the reverse edit; for a delete, it creates the website again without its
   * statistics. `putBack` restores the values in `overwritten`.
   */
  can: z.object({ undo: z.boolean(), putBack: z.boolean() }),
  /** The fields that an undo can't restore, because the service never shows them. */
  lost: z.array(z.enum(fieldNames)),
  /** The fields that an undo doesn't change, because the user has changed them again since. */
  kept: z.array(z.enum(fieldNames)).optional(),
})
export type HistoryEntry = z.infer<typeof historyEntrySchema>

/**
 * The save that Undo takes back next: the last one that was not undone. It is in `edit` if that is still pending, otherwise in
 * `entry`. `order`: the place of the save among all saves.
 */
export const undoableSaveSchema = z.object({
  order: z.number(),
  edit: editViewSchema.optional(),
  entry: historyEntrySchema.optional(),
})
export type UndoableSave = z.infer<typeof undoableSaveSchema>

/** The result of an import. Each edit of the file is added, skipped or refused. */
export const importResultSchema = z.object({
  added: z.number().int(),
  /** The number of edits that the app already has. */
  skipped: z.number().int(),
  /** The number of added edits whose password has to be entered again. */
  parked: z.number().int(),
  /** The edits that were not imported. `domain` is empty if the file lacks the website. */
  refused: z.array(z.object({ domain: z.string(), error: appErrorSchema })),
})
export type ImportResult = z.infer<typeof importResultSchema>

/** The effect of importing a file. Edits that the app already has are left out. */
export const importEffectSchema = z.object({
  creates: z.number().int(),
  updates: z.number().int(),
  deletes: z.array(z.string()),
  /** The number of websites that would become public, or be created public. */
  published: z.number().int(),
})
export type ImportEffect = z.infer<typeof importEffectSchema>
