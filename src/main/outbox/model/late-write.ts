import { z } from 'zod'
import { editKindSchema } from '../../../shared/edit.ts'
import { settingNames, websiteSettingsSchema } from '../../../shared/website.ts'
import { sentNoteSchema } from './edit.ts'

const sealed = z.custom<Uint8Array>((value) => value instanceof Uint8Array).nullable()

/** A request that was in doubt and was given up, and that may still take effect (docs/sync.md#late-writes). */
export const lateWriteSchema = z.object({
  /** Position in the order of all late writes, given by the store. */
  n: z.number().int(),
  /** The id of the edit that the request was sent for. */
  edit: z.string(),
  /** Local key of the website, which may no longer exist. */
  website: z.string(),
  domain: z.string(),
  kind: editKindSchema,
  settings: websiteSettingsSchema.partial(),
  /** The request's encrypted statistics password, erased together with the late write. */
  sealed,
  sent: sentNoteSchema.nullable(),
  /** The values that the website should have, as last acknowledged or as other clients have set them. */
  expected: websiteSettingsSchema.partial(),
  /** Our newest password, if it was acknowledged after this request was given up. */
  newest: sealed,
  /** `updated_at` of the record that the service acknowledged last. */
  updated_at: z.string().nullable(),
  /** True if the record may have changed since a write-only field was acknowledged: `updated_at` then proves nothing. */
  moved: z.boolean().optional(),
  /** The fields of `expected` that were acknowledged after this request was given up, or that a read has shown as applied. */
  acknowledged: z.array(z.enum(settingNames)).optional(),
})
export type LateWrite = z.infer<typeof lateWriteSchema>
