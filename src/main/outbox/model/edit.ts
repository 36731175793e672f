import { z } from 'zod'
import { editKindSchema } from '../../../shared/edit.ts'
import { appErrorSchema } from '../../../shared/result-schema.ts'
import { websiteRecordSchema, websiteSettingsSchema, type WebsiteRecord } from '../../../shared/website.ts'

/** Why the user is needed. */
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
 * Where an edit stands on disk (docs/sync.md#edit-states):
 *
 *     queued ---> sending ---> (removed: done)
 *       ^ ^          |  '----> parked ----.
 *       | |          v                    |  corrected, or sent again by the user
 *       | '------ inDoubt ---> parked ----|  (unread: in doubt again, once the user has it looked for)
 *       |            '-------> (done)     |
 *       '---------------------------------'
 *
 * `held` isn't on disk: what an edit waits for outside is found anew at each start (see waits.ts).
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
    /** What the service had when it was parked, as the user is shown it: the base of what they decide by it. */
    theirs: websiteRecordSchema.nullable().default(null),
    /** When it was parked with that, in milliseconds since 1970: for display alone. */
    theirsAt: z.number().optional(),
  }),
])
/**
 * `unreadable` isn't on disk either: it's what this version says of an edit there that it doesn't understand. That is
 * kept as it is, never sent and never written, and it holds its website until the user gives it up.
 */
export type Standing = z.infer<typeof standingSchema> | { state: 'unreadable' }

/** The values of the touched fields as the user saw them. A field that is absent wasn't shown by the service. */
const baseSchema = z.object({
  settings: websiteSettingsSchema.partial(),
  updated_at: z.string().optional(),
  /** Of an update, what the user was shown of these fields as they decided to keep its website. */
  shown: websiteSettingsSchema.partial().optional(),
})
export type Base = z.infer<typeof baseSchema>

/** What was known when the edit was first sent; by it a later read is judged. */
export const sentNoteSchema = z.object({
  /** Whether the last complete snapshot before the first send had the domain; `unknown`: none, nor one without it since. */
  before: z.enum(['absent', 'present', 'unknown']),
  /** The service's own clock as last heard before the first send, in milliseconds since 1970. */
  date: z.number().nullable(),
  /** The service accepted it with an empty answer: applied for certain, but the record is to be read back. */
  accepted: z.boolean(),
  /** It was in doubt once: a request of ours may still be on its way. */
  doubted: z.boolean(),
  /** How often it was proven not applied, after a request that had left. */
  failures: z.number().int().optional(),
  /** The website as a list showed it first with all that can be seen of it, while its request was out. */
  shown: websiteSettingsSchema.partial().extend({ updated_at: z.string().optional() }).optional(),
  /** It comes from a backup: later edits may be lost, so that a read may not prove that it was never sent. */
  restored: z.boolean().optional(),
  /** A create that may be there already, and was parked for it: it's looked for before it goes again. */
  unclear: z.boolean().optional(),
})
export type SentNote = z.infer<typeof sentNoteSchema>
export type Shown = NonNullable<SentNote['shown']>

const partialSettings = websiteSettingsSchema.partial()

/**
 * A request that was given up without a known outcome: what it carried, whether a password was among it, and the values before
 * it as far as they are known.
 */
const possiblySentSchema = z.object({
  settings: partialSettings,
  password: z.boolean(),
  before: partialSettings,
})
export type PossiblySent = z.infer<typeof possiblySentSchema>

/** One save of the user: the values of its fields before and after. A write-only field has none before. */
export const saveSchema = z.object({
  before: partialSettings,
  after: partialSettings,
  /** True if a password was saved with it. */
  password: z.boolean(),
})
export type Save = z.infer<typeof saveSchema>

/** What is to be remembered of an edit beside what it sends. */
const noteSchema = z.object({
  /** Values of others that it overwrites knowingly: for the history, so that they can be put back. */
  overwrites: websiteSettingsSchema.partial().optional(),
  /** It puts right what a late request of ours had changed. */
  repairs: z.boolean().optional(),
  /** A create that gives back what the delete with this id takes: proven not applied, that one isn't sent again. */
  restores: z.string().optional(),
  /** The ids of edits that went into it: once it's applied, an old export doesn't bring them again. */
  also: z.array(z.string()).optional(),
  /**
   * The requests of this edit that may have been applied, the oldest first. Their fields stay in the edit until a request
   * that carries them is acknowledged.
   */
  possiblySent: z.array(possiblySentSchema).optional(),
  /** The saves of the user that went into this edit and were not undone, the oldest first. */
  saves: z.array(saveSchema).optional(),
  /** True if the edit also carries changes that are no save of the user, such as a repair. */
  hasOther: z.boolean().optional(),
  /** True if the edit only takes back an earlier save. */
  isUndo: z.boolean().optional(),
  /** It's sent a second time, because the service had kept something else; what of it was sent, or seen to be there, before. */
  resent: z
    .object({
      settings: websiteSettingsSchema.partial(),
      password: z.boolean(),
      /** The values before. */
      before: websiteSettingsSchema.partial(),
    })
    .optional(),
})
export type Note = z.infer<typeof noteSchema>

export const editSchema = z.object({
  id: z.string(),
  /** The one order there is; never a clock. */
  seq: z.number().int(),
  /** Local key of its website. */
  website: z.string(),
  kind: editKindSchema,
  /** What it sets; all settings with a create. A delete keeps those of the update that it superseded, for Undo. */
  settings: websiteSettingsSchema.partial(),
  /** The statistics password that goes with it, sealed. */
  sealed: z.custom<Uint8Array>((value) => value instanceof Uint8Array).nullable(),
  base: baseSchema,
  standing: standingSchema,
  /** How often it was sent. */
  attempts: z.number().int(),
  sent: sentNoteSchema.nullable(),
  note: noteSchema.optional(),
  /** Milliseconds since 1970, for display alone. */
  changedAt: z.number(),
})
export type Edit = Omit<z.infer<typeof editSchema>, 'standing'> & { standing: Standing }

/** Sent: its form is frozen until its outcome is known. */
export const isSent = (edit: Edit): boolean => edit.standing.state === 'sending' || edit.standing.state === 'inDoubt'

/** Not sent: it may still be changed, or taken back. */
export const isUnsent = (edit: Edit): boolean => edit.standing.state === 'queued' || edit.standing.state === 'parked'

export const isUnreadable = (edit: Edit): boolean => edit.standing.state === 'unreadable'

/**
 * A create that may have been carried out: a website of its domain was found, and nobody but the user can say whether it's
 * theirs; or it's about to be looked for.
 */
export const isUnconfirmedCreate = ({ kind, standing, sent }: Edit): boolean =>
  kind === 'create' &&
  sent?.doubted === true &&
  (isFound(standing) || (standing.state === 'queued' && sent.unclear === true))

export const isFound = (standing: Standing): boolean => standing.state === 'parked' && standing.theirs !== null

/** As the user has changed it: it may go (again); but a create in question is freed by their answer alone. */
export const changed = (edit: Edit): Edit => (isUnconfirmedCreate(edit) ? edit : requeued(edit))

/** As the user lets it go (again): what came of it before no longer counts against it. */
export const requeued = (edit: Edit): Edit => ({
  ...edit,
  standing: { state: 'queued' },
  sent: edit.sent === null ? null : { ...edit.sent, failures: 0, ...(isUnclear(edit) && { unclear: true }) },
})

/** As the user lets it go on: what nobody could find out is read again, and nothing of it is sent before. */
export const releasedByUser = (edit: Edit): Edit =>
  edit.standing.state === 'parked' && edit.standing.reason === 'unread'
    ? { ...edit, standing: { state: 'inDoubt', error: edit.standing.error } }
    : requeued(edit)

const isUnclear = ({ kind, standing, sent }: Edit): boolean =>
  kind === 'create' && standing.state === 'parked' && sent?.doubted === true

/** The service's record for which the edit was parked; null if the edit isn't parked, or not because of a record. */
export const theirsOf = ({ standing }: Edit): WebsiteRecord | null =>
  standing.state === 'parked' ? standing.theirs : null
