import { z } from 'zod'
import { editKindSchema } from '../../../shared/edit.ts'
import { appErrorSchema } from '../../../shared/result.ts'
import { websiteRecordSchema, websiteSettingsSchema, type WebsiteRecord } from '../../../shared/website.ts'

/** Why an edit needs the user's decision. `waitReasons` in shared/edit.ts describes each reason. */
const parkReasonSchema = z.enum([
  'refused',
  'failing',
  'unread',
  'restored',
  'domain-taken',
  'website-limit',
  'gone',
  'adopt',
  'password',
  'conflict',
  'appeared',
  'vanished',
])
export type ParkReason = z.infer<typeof parkReasonSchema>

/**
 * The state of an edit on disk (docs/sync.md#edit-states):
 *
 *     queued ---> sending ---> (removed: done)
 *       ^ ^          |  '----> parked ----.
 *       | |          v                    |  corrected, or sent again by the user
 *       | '------ inDoubt ---> parked ----|  (unread: in doubt again, not queued)
 *       |            '-------> (done)     |
 *       '---------------------------------'
 *
 * `held` is not stored: holds are derived again at each start (see holds.ts).
 * `sending` found without a request in flight (after a crash) means `inDoubt`.
 */
export const standingSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('queued') }),
  z.object({ state: z.literal('sending') }),
  z.object({ state: z.literal('inDoubt'), error: appErrorSchema.nullable() }),
  z.object({
    state: z.literal('parked'),
    reason: parkReasonSchema,
    error: appErrorSchema.nullable(),
    /** The service's record that the user decides about, as last read. Null if the edit is parked for another reason. */
    theirs: websiteRecordSchema.nullable().default(null),
    /** When `theirs` was last known to be current, in milliseconds since 1970, for display only. */
    theirsAt: z.number().optional(),
  }),
])
/**
 * `unreadable` is not stored: it marks an edit that this version does not understand. Such an edit is kept unchanged, is never
 * sent, and holds its website until the user discards it.
 */
export type Standing = z.infer<typeof standingSchema> | { state: 'unreadable' }

const partialSettings = websiteSettingsSchema.partial()

/** The values of the changed fields as the user saw them. A field that the service did not show is absent. */
const editBaseSchema = z.object({
  settings: partialSettings,
  updated_at: z.string().optional(),
  /** The values that the user was shown when they kept the website instead of deleting it. */
  shown: partialSettings.optional(),
  /** In a delete that superseded an update: the website as the user who deleted it saw it. The rest of the base is the update's. */
  seen: z.object({ settings: partialSettings, updated_at: z.string().optional() }).optional(),
  /** The domain that an update or delete was made or imported for. Absent before creation, and in edits of old versions. */
  domain: z.string().optional(),
})
export type Base = z.infer<typeof editBaseSchema>

/** Makes a base from these values. Unknown ones are absent. */
export const baseOf = (settings: Base['settings'], updated_at: string | undefined, domain?: string): Base => ({
  settings,
  ...(updated_at !== undefined && { updated_at }),
  ...(domain !== undefined && { domain }),
})

/** Facts about the requests of an edit, by which a later read is judged. */
export const sentNoteSchema = z.object({
  /** Before the first send, the replica had a website with this domain (`present`), or had none but was incomplete (`unknown`). */
  before: z.enum(['absent', 'present', 'unknown']),
  /** The service's clock at the first send, in milliseconds since 1970; null if unknown. */
  date: z.number().nullable(),
  /** True if the service accepted the edit with an empty response: it was applied, but its record is still to be read. */
  accepted: z.boolean(),
  /** True if the edit was in doubt once, so that a request of it may still be under way. */
  doubted: z.boolean(),
  /**
   * Number of requests that were proven not applied, or of lookups that missed an accepted create, since the user last changed or
   * sent the edit. A request that is in doubt or only delayed does not count.
   */
  failures: z.number().int().optional(),
  /** The first record with all visible values of the edit that was read before the outcome was known. */
  shown: partialSettings.extend({ updated_at: z.string().optional() }).optional(),
  /** True for an edit of a backup: because later edits may be lost, a read cannot always prove that it was never sent. */
  restored: z.boolean().optional(),
  /** True for a create that may have been applied: its website is looked up before the create is sent again. */
  unclear: z.boolean().optional(),
})
export type SentNote = z.infer<typeof sentNoteSchema>
/** The first record read that showed all visible values of a sent edit. */
export type ShownRecord = NonNullable<SentNote['shown']>

/** An earlier request of a pending edit. Its outcome is unknown, except in `resent`. */
const possiblySentSchema = z.object({
  settings: partialSettings,
  password: z.boolean(),
  /** The values before the request, as far as they are known. */
  before: partialSettings,
})
export type PossiblySentRequest = z.infer<typeof possiblySentSchema>

/** One save of the user. `before` lacks write-only fields, whose values are unknown. */
export const saveSchema = z.object({
  before: partialSettings,
  after: partialSettings,
  /** The former base of fields of the pending edit, if the save has changed that base. */
  base: partialSettings.optional(),
  password: z.boolean(),
  /** The former domain, if the save changed the domain of a website that was not created yet. */
  domain: z.string().optional(),
  /** True if a request may have created a website with the former `domain`. */
  possiblyCreated: z.boolean().optional(),
  /** Milliseconds since 1970, for display. Without an `order`, this is the save's place among all saves. */
  at: z.number().optional(),
  /** The place of the save among all saves, for "Undo the last change". */
  order: z.number().optional(),
})
export type Save = z.infer<typeof saveSchema>

/** Facts to remember about an edit besides what it sends. */
const noteSchema = z.object({
  /** Remote values that the edit knowingly overwrites, kept for the history so that the user can restore them. */
  overwrites: partialSettings.optional(),
  /** True if the edit repairs what a late write has changed. */
  repairs: z.boolean().optional(),
  /** The id of the delete that this create undoes. If the delete turns out not to be applied, neither is sent. */
  restores: z.string().optional(),
  /** Ids of edits that were merged into this one. Once it is applied, an import of an old export skips them. */
  also: z.array(z.string()).optional(),
  /**
   * Requests that may have been applied, oldest first. Their fields stay in the edit until a request with them is acknowledged.
   */
  possiblySent: z.array(possiblySentSchema).optional(),
  /** The user's saves in this edit that were not undone, the oldest first. */
  saves: z.array(saveSchema).optional(),
  /** The place of a create or a delete among all saves, for "Undo the last change". */
  order: z.number().optional(),
  /** True if the edit also contains changes that are no save of the user, such as a repair. */
  hasOther: z.boolean().optional(),
  /** True if the user has answered a question about this edit, so that the next question is about a later remote change. */
  answered: z.boolean().optional(),
  /** True if the edit only undoes an earlier save. */
  isUndo: z.boolean().optional(),
  /** The saves that this edit undoes, with the ids of their edits. They count again if this edit is undone while unsent. */
  takesBack: z.array(z.object({ edit: z.string(), save: saveSchema })).optional(),
  /** The part of this edit that the service had acknowledged or shown before the rest was sent a second time. */
  resent: possiblySentSchema.optional(),
})
export type EditNote = z.infer<typeof noteSchema>

/** A queued create, update or delete of one website, as it is stored. */
export const editSchema = z.object({
  id: z.string(),
  /** Position in the queue. Never depends on a clock. */
  seq: z.number().int(),
  /** Local key of the website. */
  website: z.string(),
  kind: editKindSchema,
  /** The settings to send; all of them for a create. A delete keeps those of the update that it superseded, for Undo. */
  settings: partialSettings,
  /** The encrypted statistics password to send. */
  sealed: z.custom<Uint8Array>((value) => value instanceof Uint8Array).nullable(),
  base: editBaseSchema,
  standing: standingSchema,
  /**
   * Number of times that the edit was sent. A request that never left does not count. It is 0 again when the user queues a delete
   * anew, so that the delete waits for Undo.
   */
  attempts: z.number().int(),
  sent: sentNoteSchema.nullable(),
  note: noteSchema.optional(),
  /** Milliseconds since 1970 of the last change (a create: when added), for display, or in place of a missing `order`. */
  changedAt: z.number(),
})
export type Edit = Omit<z.infer<typeof editSchema>, 'standing'> & { standing: Standing }

/** Stands for a password that an export left out or a later save replaced. The user has to type it before the edit is sent. */
export const MISSING_PASSWORD = new Uint8Array(0)

/** The standing of an edit that asks the user for its missing password. */
export const PARKED_FOR_PASSWORD: Standing = { state: 'parked', reason: 'password', error: null, theirs: null }

/** True once the edit is sent, until its outcome is known. Its request does not change in between. */
export const isSent = ({ standing }: Pick<Edit, 'standing'>): boolean =>
  standing.state === 'sending' || standing.state === 'inDoubt'

/** True if the edit can still be changed or undone. */
export const isUnsent = ({ standing }: Pick<Edit, 'standing'>): boolean =>
  standing.state === 'queued' || standing.state === 'parked'

/** True for an edit that this version doesn't understand. */
export const isUnreadable = (edit: Edit): boolean => edit.standing.state === 'unreadable'

/** True for a create that may have been applied: it asks the user about a found website, or looks for one before it is sent. */
export const isUnconfirmedCreate = ({ kind, standing, sent }: Edit): boolean =>
  kind === 'create' &&
  sent?.doubted === true &&
  (hasTheirs(standing) || (standing.state === 'queued' && sent.unclear === true))

/** True if the edit is parked because of a record of the service, which the user is shown. */
export const hasTheirs = (standing: Standing): boolean => standing.state === 'parked' && standing.theirs !== null

/** Queues an edit again after the user changed it, unless it is a create that asks about a website or is looked up first. */
export const editAfterUserChange = (edit: Edit): Edit =>
  isUnconfirmedCreate(edit) || (edit.kind === 'create' && hasTheirs(edit.standing)) ? edit : requeued(edit)

/** Queues an edit again and forgets its failures. A parked create that may have been applied is marked to be looked up first. */
export const requeued = (edit: Edit): Edit => ({
  ...edit,
  standing: { state: 'queued' },
  sent:
    edit.sent === null ? null : { ...edit.sent, failures: 0, ...(isParkedPossiblyCreated(edit) && { unclear: true }) },
})

/** Releases a parked edit that the user wants to send again. An `unread` edit is in doubt again, any other is queued. */
export const releasedByUser = (edit: Edit): Edit =>
  edit.standing.state === 'parked' && edit.standing.reason === 'unread'
    ? { ...edit, standing: { state: 'inDoubt', error: edit.standing.error } }
    : requeued(edit)

/** True for a parked create that may have been applied. */
const isParkedPossiblyCreated = ({ kind, standing, sent }: Edit): boolean =>
  kind === 'create' && standing.state === 'parked' && sent?.doubted === true

/** Returns the service's record because of which the edit is parked. */
export const theirsOf = ({ standing }: Edit): WebsiteRecord | null =>
  standing.state === 'parked' ? standing.theirs : null
