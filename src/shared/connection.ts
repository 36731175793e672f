import { z } from 'zod'
import { appErrorSchema, type Result, fail, ok } from './result.ts'

/** One API key: printable, one line. The service's format is its own. */
export const apiKeySchema = z
  .string()
  .trim()
  .min(1)
  .max(4096)
  .regex(/^[\x21-\x7e]+$/)

export const keyStates = [
  'loading', // the keychain is being asked
  'stored', // in the keychain
  'run', // typed for this run only
  'locked', // the keychain is locked, or the entry was removed by hand
  'missing', // none was given
  'refused', // the service refuses it
] as const
export const keyStateSchema = z.enum(keyStates)
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

/** What the person calls a connection: one line, with something in it. */
export const connectionNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u)

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

/** This machine, by any of its own addresses or names (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3; RFC 6761, "localhost."). */
const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\]|(.+\.)?localhost)$/i

/** As it's typed, or as URLs write it; those turn other spellings, such as `127.1`, into these. */
const isLoopback = (host: string): boolean => LOOPBACK.test(host)

/**
 * Normalises a typed service address (service-behaviour.md, "Addresses"): a path and a port are kept, a trailing
 * slash, a pasted `/api/v1…`, query and fragment go; without a scheme it's https (http for this machine).
 * Errors: `bad-address`.
 */
export function normaliseAddress(typed: string): Result<{ address: string; insecure: boolean }> {
  const text = typed.trim()
  if (text === '' || /\s/.test(text)) return fail('bad-address')
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(\[[^\]]*\]|[^/:?#]*)/i.exec(text)?.[1] ?? ''
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${isLoopback(host) ? 'http' : 'https'}://${text}`
  let url: URL
  try {
    url = new URL(withScheme)
  } catch {
    return fail('bad-address')
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return fail('bad-address')
  if (url.username !== '' || url.password !== '' || url.hostname === '') return fail('bad-address')
  const path = url.pathname.replace(/\/api\/v1(\/.*)?$/, '').replace(/\/+$/, '')
  return ok({
    address: url.origin + path,
    insecure: url.protocol === 'http:' && !isLoopback(url.hostname),
  })
}
