import { z } from 'zod'
import { privacySchema } from '../../shared/website.ts'

const flag = z.literal([0, 1])

/** A website as the sample service keeps it. */
export const sampleWebsiteSchema = z.object({
  id: z.int().positive(),
  domain: z.string(),
  privacy: privacySchema,
  /** `salt:hash`, or something that no password matches; null: none is set. */
  password: z.string().nullable(),
  email: flag,
  exclude_bots: flag,
  exclude_ips: z.string().nullable(),
  exclude_params: z.string().nullable(),
  favorited_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type SampleWebsite = z.infer<typeof sampleWebsiteSchema>

/** What a write may set. */
export type SampleFields = Omit<SampleWebsite, 'id' | 'favorited_at' | 'created_at' | 'updated_at'>

export const sampleDefaults: Omit<SampleFields, 'domain'> = {
  privacy: 1,
  password: null,
  email: 0,
  exclude_bots: 1,
  exclude_ips: null,
  exclude_params: null,
}

/** As answers show it: `password` as a boolean; `exclude_params` is taken on a write and never shown. */
export const shown = (website: SampleWebsite) => ({
  id: website.id,
  object: 'website',
  domain: website.domain,
  privacy: website.privacy,
  email: website.email,
  password: website.password !== null,
  exclude_bots: website.exclude_bots,
  exclude_ips: website.exclude_ips,
  favorite: website.favorited_at !== null,
  favorited_at: website.favorited_at,
  created_at: website.created_at,
  updated_at: website.updated_at,
})
