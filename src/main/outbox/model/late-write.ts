import { z } from 'zod'
import { editKindSchema } from '../../../shared/edit.ts'
import { settingNames, websiteSettingsSchema } from '../../../shared/website.ts'
import { sentNoteSchema } from './edit.ts'

const sealed = z.custom<Uint8Array>((value) => value instanceof Uint8Array).nullable()

/** A request of ours that was in doubt and was given up: it may still land (docs/sync.md#late-writes). */
export const lateWriteSchema = z.object({
  /** Given by the store, in order. */
  n: z.number().int(),
  /** The edit that it was made for. */
  edit: z.string(),
  /** Local key of the website, which may be gone. */
  website: z.string(),
  domain: z.string(),
  kind: editKindSchema,
  /** What it carries. */
  settings: websiteSettingsSchema.partial(),
  /** The statistics password that it carries, sealed; erased with it. */
  sealed,
  sent: sentNoteSchema.nullable(),
  /** What the fields that it carries should be, for all that is known: as last acknowledged, or seen from others. */
  expected: websiteSettingsSchema.partial(),
  /** Our newest password, where it was acknowledged after this request was given up. */
  newest: sealed,
  /** `updated_at` of the service's record as we last acknowledged it. */
  updated_at: z.string().nullable(),
  /** It may have moved since what the service doesn't show was acknowledged: from then on `updated_at` can't tell. */
  moved: z.boolean().optional(),
  /** Of `expected`, what was acknowledged since, or seen to have arrived. */
  acknowledged: z.array(z.enum(settingNames)).optional(),
})
export type LateWrite = z.infer<typeof lateWriteSchema>
