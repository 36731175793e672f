import { z } from 'zod'
import { appErrorSchema } from './result-schema.ts'
import { isApiKey, isConnectionName } from './validate.ts'

export { normaliseAddress } from './address.ts'

/** One API key. */
export const apiKeySchema = z.string().trim().refine(isApiKey)

export const keyStates = [
  'loading', // the keychain is being asked
  'stored', // in the keychain
  'run', // typed for this run only
  'locked', // the keychain is locked, or the entry was removed by hand
  'missing', // none was given
  'refused', // the service refuses it
] as const
const keyStateSchema = z.enum(keyStates)
export type KeyState = z.infer<typeof keyStateSchema>

/** What the keychain itself is able to do. */
export const keychainStates = ['ready', 'locked', 'missing', 'frozen', 'unknown'] as const
export const keychainStateSchema = z.enum(keychainStates)
export type KeychainState = z.infer<typeof keychainStateSchema>

export const connectionViewSchema = z.object({
  id: z.string(),
  /** Normalised base URL, without `/api/v1`. */
  address: z.string(),
  /** The account's name, or its address where the service names none. */
  name: z.string(),
  /** The embedded sample service. */
  sample: z.boolean(),
  key: keyStateSchema,
  /** Plain http to something else than this machine. */
  insecure: z.boolean(),
})
export type ConnectionView = z.infer<typeof connectionViewSchema>

/** One of the connections on this computer, as the settings list them. */
export const connectionEntrySchema = connectionViewSchema
  .pick({ id: true, address: true, name: true, sample: true })
  .extend({
    active: z.boolean(),
    /** Edits that aren't sent yet; null: its file can't be opened. */
    unsent: z.number().int().nullable(),
  })
export type ConnectionEntry = z.infer<typeof connectionEntrySchema>

/** What the person calls a connection; empty: as its account. */
export const connectionNameSchema = z.string().trim().refine(isConnectionName)

/** What is known of the service just now. */
export const reachSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('unknown') }),
  z.object({ state: z.literal('online') }),
  z.object({
    state: z.literal('offline'),
    /** Milliseconds since 1970, for display alone. */
    since: z.number(),
    error: appErrorSchema,
  }),
])
export type Reach = z.infer<typeof reachSchema>
