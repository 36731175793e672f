import { z } from 'zod'
import { editKindSchema } from '../../../shared/edit.ts'
import { appErrorSchema } from '../../../shared/result.ts'
import { websiteRecordSchema, websiteSettingsSchema, type WebsiteRecord } from '../../../shared/website.ts'

/** Reasons for which an edit needs the user's decision. `waitReasons` in shared/edit.ts describes each of them. */
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
    /**
     * The service's record that the user is shown and decides about: as it was when the edit was parked, or as a later read has
     * shown it. Null if the edit is not parked because of a record.
     */
    theirs: websiteRecordSchema.nullable().default(null),
    /**
     * The time when `theirs` was shown to be current: when the edit was parked, or when the user last had it read. In
     * milliseconds since 1970, for display only.
     */
    theirsAt: z.number().optional(),
  }),
])
/**
 * The state of an edit. `unreadable` is not stored: it marks an edit that this version does not understand. Such an edit is kept
 * unchanged, is never sent, and holds its website until the user discards it.
 */
export type Standing = z.infer<typeof standingSchema> | { state: 'unreadable' }

const partialSettings = websiteSettingsSchema.partial()

/** The values of the touched fields as the user saw them. A field that the service did not show is absent. */
const editBaseSchema = z.object({
  settings: partialSettings,
  updated_at: z.string().optional(),
  /** The values that the user was shown for the touched fields when they kept the website instead of deleting it. */
  shown: partialSettings.optional(),
  /**
   * The state of the website that the user saw when they deleted it. Only a delete that replaced a pending update has it: the rest of
   * its base is that of the update, so that Undo can restore the update.
   */
  seen: z.object({ settings: partialSettings, updated_at: z.string().optional() }).optional(),
  /**
   * The domain of the website that an update or a delete was made for, or imported for. Absent while the website is not created yet,
   * and in edits of earlier versions.
   */
  domain: z.string().optional(),
})
export type Base = z.infer<typeof editBaseSchema>

/** Returns a base with these settings, with the time of their record if the service has times, and with the domain if it is known. */
export const baseOf = (settings: Base['settings'], updated_at: string | undefined, domain?: string): Base => ({
  settings,
  ...(updated_at !== undefined && { updated_at }),
  ...(domain !== undefined && { domain }),
})

/** Facts about the requests of an edit, by which a later read is judged. */
export const sentNoteSchema = z.object({
  /**
   * State of the domain before the first send, by the replica: a website on the service had it (`present`), or none (`absent`).
   * `unknown` if the replica showed none and had never been complete.
   */
  before: z.enum(['absent', 'present', 'unknown']),
  /** The time of the service's clock at the first send, in milliseconds since 1970, or null if it was not known. */
  date: z.number().nullable(),
  /** True if the service accepted the edit with an empty answer: it was applied, but its record is still to be read. */
  accepted: z.boolean(),
  /** True if the edit was in doubt once, so that a request of it may still be under way. */
  doubted: z.boolean(),
  /**
   * Number of requests that were proven not applied, or of lookups that did not find an accepted create. Set to 0 when the user
   * changes the edit or sends it again.
   */
  failures: z.number().int().optional(),
  /**
   * The first record with all visible values of the edit that was read, in a list or on its own, before the request was settled.
   */
  shown: partialSettings.extend({ updated_at: z.string().optional() }).optional(),
  /**
   * True if the edit comes from a backup. Later edits may be lost, so a read cannot always prove that this edit was never sent.
   */
  restored: z.boolean().optional(),
  /** True for a create that was parked because it may have been applied: it is looked up before it is sent again. */
  unclear: z.boolean().optional(),
})
export type SentNote = z.infer<typeof sentNoteSchema>
/** A record that has shown all visible values of an edit; see `shown` in {@link sentNoteSchema}. */
export type ShownRecord = NonNullable<SentNote['shown']>

/**
 * An earlier request of a pending edit: the settings that it carried, whether it carried a password, and the values before it as
 * far as they are known. Its outcome is unknown, except in `resent`.
 */
const possiblySentSchema = z.object({
  settings: partialSettings,
  password: z.boolean(),
  before: partialSettings,
})
export type PossiblySentRequest = z.infer<typeof possiblySentSchema>

/** One save of the user: the values of its fields before and after. A write-only field has none before. */
export const saveSchema = z.object({
  before: partialSettings,
  after: partialSettings,
  /** The base values that these fields of the pending edit had before the save, if the save has given them other ones. */
  base: partialSettings.optional(),
  /** True if a password was saved with it. */
  password: z.boolean(),
  /** The domain before, if the save changed the domain of a website that was not created yet. */
  domain: z.string().optional(),
  /** True if a request may have created a website with the former `domain`. */
  possiblyCreated: z.boolean().optional(),
  /** The time of the save in milliseconds since 1970, for display. Also its place among all saves, if it has no `order`. */
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
  /** The id of the delete that this create undoes. If the delete proves not to be applied, neither is sent. */
  restores: z.string().optional(),
  /** Ids of edits that were merged into this one. Once it is applied, an old export does not bring them back. */
  also: z.array(z.string()).optional(),
  /**
   * The requests of this edit that may have been applied, the oldest first. Their fields stay in the edit until a request
   * that carries them is acknowledged.
   */
  possiblySent: z.array(possiblySentSchema).optional(),
  /** The saves of the user that went into this edit and were not undone, the oldest first. */
  saves: z.array(saveSchema).optional(),
  /** The place of a create or a delete among all saves, for "Undo the last change". */
  order: z.number().optional(),
  /** True if the edit also carries changes that are no save of the user, such as a repair. */
  hasOther: z.boolean().optional(),
  /** True if the user has answered a question about this edit. The next question is then about a later remote change. */
  answered: z.boolean().optional(),
  /** True if the edit only takes back an earlier save. */
  isUndo: z.boolean().optional(),
  /**
   * The saves that the edit takes back, each with the id of the edit that it went into. If the user undoes this edit before it is
   * sent, these saves count again.
   */
  takesBack: z.array(z.object({ edit: z.string(), save: saveSchema })).optional(),
  /** The part of this edit that the service has acknowledged or shown before the rest is sent a second time. */
  resent: possiblySentSchema.optional(),
})
export type EditNote = z.infer<typeof noteSchema>

/** A queued create, update or delete of one website, as it is stored. */
export const editSchema = z.object({
  id: z.string(),
  /** The position in the queue. Order never depends on a clock. */
  seq: z.number().int(),
  /** Local key of its website. */
  website: z.string(),
  kind: editKindSchema,
  /** The settings that it sends; all of them for a create. A delete keeps those of the update that it superseded, for Undo. */
  settings: partialSettings,
  /** The sealed statistics password that is sent with it. */
  sealed: z.custom<Uint8Array>((value) => value instanceof Uint8Array).nullable(),
  base: editBaseSchema,
  standing: standingSchema,
  /** Number of times it was sent. */
  attempts: z.number().int(),
  sent: sentNoteSchema.nullable(),
  note: noteSchema.optional(),
  /**
   * The time in milliseconds since 1970 when the edit was last changed, for display; for a create, when it was added. An
   * edit that an earlier version stored without an `order` gets its place among all saves from this time.
   */
  changedAt: z.number(),
})
export type Edit = Omit<z.infer<typeof editSchema>, 'standing'> & { standing: Standing }

/**
 * Stands for a password that an export left out or a later save replaced. It cannot be unsealed, so the edit is not sent until
 * the user has typed the password.
 */
export const MISSING_PASSWORD = new Uint8Array(0)

/** The state of an edit that waits for its password. */
export const PARKED_FOR_PASSWORD: Standing = { state: 'parked', reason: 'password', error: null, theirs: null }

/** True if the edit is sent: its request does not change until the outcome is known. */
export const isSent = ({ standing }: Pick<Edit, 'standing'>): boolean =>
  standing.state === 'sending' || standing.state === 'inDoubt'

/** True if the edit is not sent, so that it can still be changed or undone. */
export const isUnsent = ({ standing }: Pick<Edit, 'standing'>): boolean =>
  standing.state === 'queued' || standing.state === 'parked'

/** True if this version of the app does not understand the stored edit ({@link Standing}). */
export const isUnreadable = (edit: Edit): boolean => edit.standing.state === 'unreadable'

/**
 * True for a create that may have been applied: either a website with its domain was found and only the user can say whose it is,
 * or it is looked up before it is sent again.
 */
export const isUnconfirmedCreate = ({ kind, standing, sent }: Edit): boolean =>
  kind === 'create' &&
  sent?.doubted === true &&
  (hasTheirs(standing) || (standing.state === 'queued' && sent.unclear === true))

/** True if the edit is parked because of a record of the service, which the user is shown. */
export const hasTheirs = (standing: Standing): boolean => standing.state === 'parked' && standing.theirs !== null

/**
 * Returns the edit as it continues after the user has changed it: queued again. A create that the user is asked about, or that is
 * looked up before it is sent, is returned unchanged.
 */
export const editAfterUserChange = (edit: Edit): Edit =>
  isUnconfirmedCreate(edit) || (edit.kind === 'create' && hasTheirs(edit.standing)) ? edit : requeued(edit)

/**
 * Returns the edit as queued again, with its earlier failures forgotten. A parked create that may have been applied is marked to
 * be looked up first.
 */
export const requeued = (edit: Edit): Edit => ({
  ...edit,
  standing: { state: 'queued' },
  sent:
    edit.sent === null ? null : { ...edit.sent, failures: 0, ...(isParkedPossiblyCreated(edit) && { unclear: true }) },
})

/**
 * Returns a parked edit after the user has asked to send it again: in doubt if its outcome could not be read, otherwise queued.
 */
export const releasedByUser = (edit: Edit): Edit =>
  edit.standing.state === 'parked' && edit.standing.reason === 'unread'
    ? { ...edit, standing: { state: 'inDoubt', error: edit.standing.error } }
    : requeued(edit)

/** True for a parked create that may have been applied. */
const isParkedPossiblyCreated = ({ kind, standing, sent }: Edit): boolean =>
  kind === 'create' && standing.state === 'parked' && sent?.doubted === true

/** The service's record for which the edit was parked; null if the edit isn't parked, or not because of a record. */
export const theirsOf = ({ standing }: Edit): WebsiteRecord | null =>
  standing.state === 'parked' ? standing.theirs : null
