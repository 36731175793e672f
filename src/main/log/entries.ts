import { z } from 'zod'
import { keychainStates, keyStates } from '../../shared/connection.ts'
import { waitReasons } from '../../shared/edit.ts'
import { errorCodes } from '../../shared/result.ts'

// The types of fields. None may accept text of a user, a service or a file: `name` allows neither dot nor slash, so that no
// domain and no address fits.
const code = z.enum(errorCodes)
const name = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,40}$/)
/** Has at most three numbers, so that no IPv4 address fits. */
const version = z.string().regex(/^\d+(\.\d+){0,2}([-+][\w.+-]{1,30})?$/)
/** A place in the app's own bundles, such as `index.js:12:7`. */
const place = z.string().regex(/^[\w-]{1,40}\.[cm]?js:\d{1,9}:\d{1,9}$/)
const count = z.number().int().min(0)

/** Declares a log entry by its level and the types of its fields. */
const entry = <L extends 'info' | 'warn' | 'error', F extends z.ZodRawShape>(level: L, fields: F) => ({
  level,
  fields: z.strictObject(fields),
})

/** All entries that the log can have, each with its level and the types of its fields. */
export const entries = {
  started: entry('info', {
    version,
    electron: version,
    node: version,
    os: name,
    /** Version of the kernel, such as `6.1.0-30-amd64` or `10.0.22631`. */
    release: z.string().regex(/^[\w.+-]{1,60}$/),
    arch: name,
    after: z.enum(['person', 'crash']),
  }),
  quitting: entry('info', {}),
  connection: entry('info', { state: z.enum(['open', 'none']) }),
  key: entry('info', { state: z.enum(keyStates) }),
  keychain: entry('info', { state: z.enum(keychainStates) }),
  paused: entry('info', { on: z.boolean() }),
  online: entry('info', {}),
  waiting: entry('info', { edits: count }),
  offline: entry('warn', { code, status: count.optional() }),
  parked: entry('warn', { edits: count, reasons: z.array(z.enum(waitReasons)) }),
  refreshFailed: entry('warn', { code, status: count.optional() }),
  salvaged: entry('warn', { websites: count, edits: count, backup: z.boolean() }),
  readOnly: entry('warn', {}),
  updateFound: entry('info', { version }),
  updateReady: entry('info', { version }),
  updateFailed: entry('warn', { doing: z.enum(['check', 'download', 'install']), code }),
  problem: entry('error', { code }),
  /** The last run ended unexpectedly (running-mark.ts). */
  cutShort: entry('error', {}),
  cannotStart: entry('error', { code }),
  commandFailed: entry('error', { command: name, error: name, at: z.array(place) }),
  /** Data for the window didn't match its schema, and was not sent. */
  misfit: entry('error', { what: z.enum(['answer', 'event']), of: name }),
  pageNotLoaded: entry('error', {}),
  pageGone: entry('error', { reason: name, exitCode: z.number().int() }),
  linkNotOpened: entry('error', {}),
  notClosedInOrder: entry('error', {}),
  crashed: entry('error', {
    by: z.enum(['exception', 'rejection']),
    error: name,
    code: name.nullable(),
    at: z.array(place),
  }),
} as const

type Entries = typeof entries
export type EntryName = keyof Entries
/** The fields of an entry, as the caller passes them. */
export type EntryFields<N extends EntryName> = z.input<Entries[N]['fields']>
export type Level = Entries[EntryName]['level']
