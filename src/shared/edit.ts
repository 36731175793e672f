import { z } from 'zod'
import { appErrorSchema } from './result.ts'
import { fieldNames, websiteSettingsSchema } from './website.ts'

/**
 * The life of an edit (sync.md, "Life of an edit"):
 *
 *     queued -> sending -> done                      held: waits for something outside
 *        ^         |
 *        |      inDoubt -> (read) -> done | queued   parked: needs the person
 *        +-- held / parked <----------'
 */
export const editStates = ['queued', 'sending', 'inDoubt', 'held', 'parked', 'done'] as const
export const editStateSchema = z.enum(editStates)
export type EditState = z.infer<typeof editStateSchema>

export const editKindSchema = z.enum(['create', 'update', 'delete'])
export type EditKind = z.infer<typeof editKindSchema>

/** Why an edit is held or parked. */
export const waitReasons = [
  'connection', // held: the service can't be reached
  'key', // held: the key was refused or is missing
  'keychain', // held: the keychain is locked and the edit carries a password
  'rate', // held: Retry-After
  'backoff', // held: the service failed, the next try is set
  'depends', // held: waits for another edit
  'undo', // held: a delete waits for Undo
  'refused', // parked: the service refused it; `error` has its words
  'domain-taken', // parked
  'website-limit', // parked: the plan's limit
  'gone', // parked: the website was deleted on the service
  'adopt', // parked: a website of that domain is there, and may be ours
  'password', // parked: the statistics password has to be typed anew
  'conflict', // parked: both sides changed the same
] as const
export const waitReasonSchema = z.enum(waitReasons)
export type WaitReason = z.infer<typeof waitReasonSchema>

/** An edit as the Pending screen shows it. No secret is in it. */
export const editViewSchema = z.object({
  id: z.string(),
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
  can: z.object({ undo: z.boolean(), discard: z.boolean(), sendNow: z.boolean() }),
})
export type EditView = z.infer<typeof editViewSchema>

export const editPageSchema = z.object({
  edits: z.array(editViewSchema),
  /** Edits that wait in all, those not on this page too. */
  total: z.number().int(),
  parked: z.number().int(),
})
export type EditPage = z.infer<typeof editPageSchema>
