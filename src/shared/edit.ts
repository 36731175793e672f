import { z } from 'zod'
import { appErrorSchema } from './result-schema.ts'
import { fieldNames, settingNames, websiteSettingsSchema } from './website.ts'

/**
 * The life of an edit (docs/sync.md#edit-states):
 *
 *     queued -> sending -> done                      held: waits for something outside
 *        ^         |
 *        |      inDoubt -> (read) -> done | queued   parked: needs the person
 *        +-- held / parked <----------'
 */
const editStates = ['queued', 'sending', 'inDoubt', 'held', 'parked', 'done'] as const
const editStateSchema = z.enum(editStates)
export type EditState = z.infer<typeof editStateSchema>

export const editKindSchema = z.enum(['create', 'update', 'delete'])
export type EditKind = z.infer<typeof editKindSchema>

/** Why an edit is held or parked. */
export const waitReasons = [
  'paused', // held: the person has paused sending
  'connection', // held: the service can't be reached
  'key', // held: the key was refused or is missing
  'keychain', // held: the keychain is locked and the edit carries a password
  'rate', // held: Retry-After
  'backoff', // held: the service failed, the next try is set
  'depends', // held: waits for another edit
  'undo', // held: a delete waits for Undo
  'website-limit', // parked: the plan's limit refused it; held: another create was refused so, and the person is asked
  'refused', // parked: the service refused it; `error` has its words
  'failing', // parked: sent five times, and five times proven not applied; `error` has the last answer
  'restored', // parked: it comes from a backup, and may have been sent already
  'unread', // parked: for long nothing could be read that tells whether it arrived; `error` has the last answer
  'unreadable', // parked: this version can't read it; given up, it's kept as it is
  'domain-taken', // parked: `conflict` is what is there, where it's in this account
  'gone', // parked: the website was deleted on the service
  'adopt', // parked: a website of that domain is there, and may be ours: `conflict`
  'password', // parked: the statistics password has to be typed anew
  'conflict', // parked: both sides changed the same, or what is to be deleted was changed: `conflict`
  'appeared', // parked: a create that was given up came through after all: `conflict` is what is there
  'vanished', // parked: a delete that was taken for lost came through after all
] as const
const waitReasonSchema = z.enum(waitReasons)
export type WaitReason = z.infer<typeof waitReasonSchema>

/** What one side has in the fields at issue. A field that's absent isn't shown by the service; `password`: one is set. */
const sideSchema = websiteSettingsSchema.partial().extend({ password: z.boolean().optional() })
export type Side = z.infer<typeof sideSchema>

const unitChoices = ['mine', 'theirs', 'both'] as const
export type UnitChoice = (typeof unitChoices)[number]

/**
 * Three sides of an edit that can't be merged (docs/sync.md#merging). A unit is a setting; `privacy` stands for privacy and
 * password together. Where the service doesn't show a field, `theirs` lacks it: somebody may have changed it.
 */
const conflictSchema = z.object({
  base: sideSchema,
  theirs: sideSchema,
  mine: sideSchema,
  units: z.array(
    z.object({
      unit: z.enum(settingNames),
      choices: z.array(z.enum(unitChoices)),
      /** What `both` would make of it, line by line. */
      both: z.array(z.string()).nullable(),
    }),
  ),
})
export type Conflict = z.infer<typeof conflictSchema>

/**
 * What the person may do with a parked edit, beside correcting, discarding and sending it again:
 * `units` choose for each unit · `adopt` take the website that is there, and send what differs · `recreate` create it again,
 * without its statistics · `delete` delete it although it was changed · `keep` don't delete it.
 */
const resolveWays = ['units', 'adopt', 'recreate', 'delete', 'keep'] as const
export type ResolveWay = (typeof resolveWays)[number]

/** The person's word on a parked edit. */
export const resolutionSchema = z.discriminatedUnion('way', [
  z.object({ way: z.literal('units'), units: z.partialRecord(z.enum(settingNames), z.enum(unitChoices)) }),
  z.object({ way: z.literal('adopt') }),
  z.object({ way: z.literal('recreate'), password: z.string().max(1000).optional() }),
  z.object({ way: z.literal('delete') }),
  z.object({ way: z.literal('keep') }),
])
export type Resolution = z.infer<typeof resolutionSchema>

/**
 * What an undo comes to: the save was not sent and is `undone`; or its reverse is `queued`; or it `asks` first, because it deletes a
 * website and its statistics.
 */
export const undoOutcomeSchema = z.enum(['undone', 'queued', 'asks'])
export type UndoOutcome = z.infer<typeof undoOutcomeSchema>

/** An edit as the Pending screen shows it. No secret is in it. */
export const editViewSchema = z.object({
  id: z.string(),
  /** It only takes back an earlier change, or was itself undone while it was being sent. */
  isUndo: z.boolean().optional(),
  website: z.string(),
  domain: z.string(),
  kind: editKindSchema,
  state: editStateSchema,
  reason: waitReasonSchema.nullable(),
  error: appErrorSchema.nullable(),
  /** What will be sent, but for secrets. */
  settings: websiteSettingsSchema.partial(),
  fields: z.array(z.enum(fieldNames)),
  /** Whether a statistics password goes with it. */
  password: z.boolean(),
  /** The request as it will be made, secrets masked: method, path, and form fields in order. */
  request: z.object({ method: z.string(), path: z.string(), form: z.array(z.tuple([z.string(), z.string()])) }),
  /** Milliseconds since 1970, for display alone. */
  changedAt: z.number(),
  /** When it will be tried (again), for display alone; null: at once, or when what it waits for is there. */
  nextAt: z.number().nullable(),
  /** How often it was sent. */
  attempts: z.number().int(),
  /** True if an earlier request of this edit may have been applied: discarding the edit takes that back. */
  possiblySent: z.boolean().optional(),
  can: z.object({ undo: z.boolean(), discard: z.boolean(), sendNow: z.boolean() }),
  conflict: conflictSchema.nullable(),
  /** When `conflict.theirs` was seen, in milliseconds since 1970, for display alone; null: nobody knows any more. */
  theirsAt: z.number().nullable(),
  ways: z.array(z.enum(resolveWays)),
  /** `recreate` wants the statistics password typed anew: the service never shows it. */
  needsPassword: z.boolean(),
})
export type EditView = z.infer<typeof editViewSchema>

export const editPageSchema = z.object({
  edits: z.array(editViewSchema),
  /** Edits that wait in all, those not on this page too. */
  total: z.number().int(),
  parked: z.number().int(),
})
export type EditPage = z.infer<typeof editPageSchema>

/**
 * What became of an edit that is no longer waiting, with what the person might want back. No secret is in it.
 *
 * `sent`: applied as it was · `adopted`: a website that was there was taken · `nothing`: the service had it already ·
 * `repaired`: a late request had changed it, and it was put right · `discarded` and `undone`: by the person ·
 * `unknown`: discarded, and nobody knows whether it arrived
 */
export const historyEntrySchema = z.object({
  id: z.string(),
  /** Local key of the website; null: it's gone. */
  website: z.string().nullable(),
  domain: z.string(),
  kind: editKindSchema,
  became: z.enum(['sent', 'adopted', 'nothing', 'repaired', 'discarded', 'undone', 'unknown']),
  /** What was sent, but for secrets. */
  settings: websiteSettingsSchema.partial(),
  password: z.boolean(),
  /** The values before, as the person saw them. */
  before: websiteSettingsSchema.partial(),
  /** Values of others that were overwritten knowingly: kept mine, or repaired. */
  overwritten: websiteSettingsSchema.partial(),
  /** What the service made of a field instead of what was sent. */
  ignored: websiteSettingsSchema.partial(),
  /** Milliseconds since 1970, for display alone. */
  at: z.number(),
  /** It only took back an earlier change, or was itself undone. */
  isUndo: z.boolean().optional(),
  /** `undo` queues the reverse (of a delete: creates it again without its statistics); `putBack`: `overwritten`. */
  can: z.object({ undo: z.boolean(), putBack: z.boolean() }),
  /** The reverse can't bring these back: the service never shows them. */
  lost: z.array(z.enum(fieldNames)),
})
export type HistoryEntry = z.infer<typeof historyEntrySchema>

export const historyPageSchema = z.object({ entries: z.array(historyEntrySchema), total: z.number().int() })
export type HistoryPage = z.infer<typeof historyPageSchema>

/** What an import took; each edit is in one of the counts. */
export const importedSchema = z.object({
  added: z.number().int(),
  /** Known here already. */
  skipped: z.number().int(),
  /** Of those added: the password has to be typed anew. */
  parked: z.number().int(),
  /** Not taken, with the domain and the reason in words of the closed list. */
  refused: z.array(z.object({ domain: z.string(), error: appErrorSchema })),
})
export type Imported = z.infer<typeof importedSchema>

/** What a file of exported edits would do. Edits that are known here already are not counted. */
export const importSummarySchema = z.object({
  creates: z.number().int(),
  updates: z.number().int(),
  /** The domains of the websites that would be deleted. */
  deletes: z.array(z.string()),
  /** How many websites would become public, or be created public. */
  published: z.number().int(),
})
export type ImportSummary = z.infer<typeof importSummarySchema>
