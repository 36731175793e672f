import { z } from 'zod'
import { appErrorSchema } from './result.ts'
import { isApiKey, isConnectionName } from './validate.ts'

export { normalizeAddress } from './address.ts'

export const apiKeySchema = z.string().trim().refine(isApiKey)

/** The place where a secret that the user enters is stored. `run`: in main's memory until the app quits, never in the keychain. */
export const secretStorageSchema = z.enum(['keychain', 'run'])
export type SecretStorage = z.infer<typeof secretStorageSchema>

/** The states of a connection's API key. */
export const keyStates = [
  'loading', // the keychain is being asked
  'stored', // in the keychain
  'run', // typed for this run only
  'locked', // the keychain is locked, missing or doesn't answer, or the entry was removed by hand
  'missing', // none was given
  'refused', // the service refuses it
] as const
const keyStateSchema = z.enum(keyStates)
export type KeyState = z.infer<typeof keyStateSchema>

/**
 * `missing`: no keychain can be used. `frozen`: the keychain has not answered in time. `unknown`: the keychain was not asked yet,
 * or its last answer shows nothing about its state.
 */
export const keychainStates = ['ready', 'locked', 'missing', 'frozen', 'unknown'] as const
export const keychainStateSchema = z.enum(keychainStates)
export type KeychainState = z.infer<typeof keychainStateSchema>

/** A connection as the window shows it, without its key. */
export const connectionViewSchema = z.object({
  id: z.string(),
  /** Normalized base URL, without `/api/v1`. */
  address: z.string(),
  /** The name that the user gave; otherwise the account's name, or the service's address if the service shows no name. */
  name: z.string(),
  sample: z.boolean(),
  key: keyStateSchema,
  /** True for plain http to another machine. */
  insecure: z.boolean(),
})
export type ConnectionView = z.infer<typeof connectionViewSchema>

/** A saved connection in the list of all connections. */
export const connectionEntrySchema = connectionViewSchema
  .pick({ id: true, address: true, name: true, sample: true })
  .extend({
    active: z.boolean(),
    /** True while the connection's file is being opened. Its content isn't known until then. */
    opening: z.boolean(),
    /** The number of pending edits, even parked or in doubt. Null while the file is being opened, or if it can't be opened. */
    unsent: z.number().int().nullable(),
    /**
     * The tags, notes and views of the connection. `none`: it has none. `keepable`: the user may keep them when the connection is
     * removed. `lost`: they are removed with the connection, because its account couldn't be recognized later. `unknown`: the
     * connection's file can't be opened.
     */
    localData: z.enum(['none', 'keepable', 'lost', 'unknown']),
  })
export type ConnectionEntry = z.infer<typeof connectionEntrySchema>

/** The user's name for a connection; empty means the name of its account. */
export const connectionNameSchema = z.string().trim().refine(isConnectionName)

/** Tells if the service can be reached. */
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

/** True if the service answers, but rejects all requests. {@link Reach} is offline then, although the network works. */
export const rejectsAll = (reach: Reach): boolean => reach.state === 'offline' && reach.error.code === 'forbidden'

/** True if the service can't be reached; false if it only rejects all requests. */
export const isOffline = (reach: Reach): boolean => reach.state === 'offline' && !rejectsAll(reach)
