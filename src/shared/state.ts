import { z } from 'zod'
import { accountStateSchema } from './account-state.ts'
import { bulkChangeSchema } from './bulk-change.ts'
import { connectionViewSchema, keychainStateSchema, reachSchema } from './connection.ts'
import { languageSettingSchema, languageStateSchema } from './language.ts'
import { COLUMN_WIDTH, columnNames, defaultColumns } from './list-settings.ts'
import { addressBookSchema } from './named-address.ts'
import { appErrorSchema } from './result.ts'
import { MAX_TEMPLATE } from './statistics-address.ts'
import { shortcutSchema } from './shortcut.ts'
import { TEXT_SIZES } from './text-size.ts'
import { updateSchema } from './update.ts'
import { listQuerySchema, pageSizeSchema } from './website.ts'

/** Describes a file that is no longer used, and the backup that was restored in its place, if there was one. */
export const recoverySchema = z.object({
  /** `unreleased`: a version before the first release wrote the file, which stays as it is. */
  why: z.enum(['damaged', 'unreleased']),
  /** Milliseconds since 1970, for display alone. */
  at: z.number(),
  /** Path of the file that is not used; empty if that file was missing. */
  quarantined: z.string(),
  /** The time of the restored backup, in milliseconds since 1970, for display alone. Null if there was none. */
  backupAt: z.number().nullable(),
  websites: z.number().int(),
  edits: z.number().int(),
  /** The number of accounts that the app's restored file lacks, and whose own files can't be read either. */
  lostAccounts: z.number().int().optional(),
  /** The number of accounts that the restored file lacks, and whose files can't be read now. The next start tries again. */
  heldAccounts: z.number().int().optional(),
})
export type Recovery = z.infer<typeof recoverySchema>

/** The state of the app that every screen may show. It is small, and is sent as a whole when it changes. */
export const appStateSchema = z.object({
  /** The connection that the window shows; null if none is open, and the connect form is shown. */
  connection: connectionViewSchema.nullable(),
  /** The error that keeps the last connection from being opened, until it is solved. */
  problem: appErrorSchema.nullable(),
  /** The oldest first. */
  accounts: z.array(accountStateSchema),
  reach: reachSchema,
  keychain: keychainStateSchema,
  /**
   * A problem of the app itself, until the user dismisses it: an error restarted the app (`restarted`) or reloaded its page
   * (`reloaded`), or the last run ended unexpectedly (`cutShort`).
   */
  mishap: z.enum(['restarted', 'cutShort', 'reloaded']).nullable(),
  /** Null if this installation doesn't look for newer versions. */
  update: updateSchema.nullable(),
  language: languageStateSchema,
  paused: z.boolean(),
  /** The values of the account that the window shows. */
  ...accountStateSchema.pick({ waiting: true, parked: true, unconfirmed: true, mismatches: true, readOnly: true })
    .shape,
  /** The number of websites in the list, including those that aren't created yet. */
  websites: z.number().int(),
  /**
   * The delivery under way. Null if nothing is pending, or only edits that the plan's limit holds. `done` of `total` edits are
   * sent. `seconds`: the estimated rest once online, according to the rate budget, or null.
   */
  delivery: z.object({ done: z.number().int(), total: z.number().int(), seconds: z.number().nullable() }).nullable(),
  bulkChange: bulkChangeSchema.nullable(),
  /** The place of the newest save among all saves; 0 if there is none. */
  lastOrder: z.number(),
  /** The number of remote changes since the user last opened the activity. */
  remoteChanges: z.number().int(),
  /** Set after the app's or the connection's file was replaced, until the user dismisses the message. */
  salvaged: recoverySchema.extend({ of: z.enum(['app', 'connection']) }).nullable(),
  refresh: z.object({
    running: z.boolean(),
    /** The number of refreshes that have ended since the connection was opened, whatever their result. */
    ended: z.number().int(),
    /** The number of websites that the running or last refresh has read. */
    read: z.number().int(),
    /** The number of websites that the running or last refresh has to read. Null if the service doesn't say. */
    total: z.number().int().nullable(),
    /** The time when the last complete refresh had read its first page, or null. Milliseconds since 1970, for display alone. */
    seenAt: z.number().nullable(),
    error: appErrorSchema.nullable(),
    /**
     * The time until which the running refresh waits for the rate limit or a `Retry-After`, in milliseconds since 1970. Absent if
     * the app doesn't show the wait.
     */
    waitsUntil: z.number().optional(),
    /** Why it waits until then. */
    waitsFor: z.enum(['rate', 'budget']).optional(),
  }),
})
export type AppState = z.infer<typeof appStateSchema>

/** The choices for the background refresh, in minutes; 0 is never. */
export const REFRESH_MINUTES = [0, 15, 30, 60, 240] as const

const themes = ['system', 'light', 'dark'] as const
const column = z.enum(columnNames)
const { sort_by, sort } = listQuerySchema.shape
/** The choices for how long the activity is kept, in days. */
export const activityDays = [30, 90, 365, 1095] as const

/** The settings of the app, which apply to all accounts. */
export const settingsSchema = z.object({
  language: languageSettingSchema,
  theme: z.enum(themes),
  /** In percent of the system's text size. */
  textSize: z.literal(TEXT_SIZES),
  /** True if nothing is sent until the user resumes. Reading continues. */
  paused: z.boolean(),
  /** Minutes between two automatic refreshes of the list, even while it isn't shown. 0: never. */
  refreshEvery: z.literal(REFRESH_MINUTES),
  /** True if the app starts with the session, without a window. */
  startWithSession: z.boolean(),
  /** True if closing the window minimizes it, for desktops without a tray. */
  keepWindow: z.boolean(),
  /** True if there is no tray icon. Closing the window then quits the app, unless `keepWindow` is true. */
  hideTray: z.boolean(),
  searchShortcut: shortcutSchema,
  /** True if the user is notified when edits were sent, unless the window is in use. */
  notifySent: z.boolean(),
  // The notifications from here on are not shown while the user looks at the account.
  /** True if the user is notified of edits that need attention and of mismatches. */
  notifyParked: z.boolean(),
  /** True if the user is notified of a rejected key. */
  notifyKey: z.boolean(),
  /** This and the next two settings notify of websites that another client has deleted, made public, or added or changed. */
  notifyDeleted: z.boolean(),
  notifyPublished: z.boolean(),
  notifyChanged: z.boolean(),
  activityDays: z.literal(activityDays),
  /** The columns of the website list, their widths where changed (in rem), the order and the page size. */
  listColumns: z.array(column).max(columnNames.length).readonly(),
  listWidths: z.partialRecord(column, z.number().min(COLUMN_WIDTH.min).max(COLUMN_WIDTH.max)).readonly(),
  listOrder: z.strictObject({ by: sort_by.unwrap(), sort: sort.unwrap() }),
  listPages: pageSizeSchema,
  namedAddresses: addressBookSchema,
  /** The templates for the addresses of statistics that the user has changed, by account (statistics-address.ts). */
  statisticsAddresses: z.record(z.string().max(100), z.string().max(MAX_TEMPLATE)).readonly(),
})
export type Settings = z.infer<typeof settingsSchema>

export const defaultSettings: Settings = {
  language: 'system',
  theme: 'system',
  textSize: 100,
  paused: false,
  refreshEvery: 30,
  startWithSession: false,
  keepWindow: false,
  hideTray: false,
  searchShortcut: '',
  notifySent: false,
  notifyParked: true,
  notifyKey: true,
  notifyDeleted: true,
  notifyPublished: true,
  notifyChanged: false,
  activityDays: 365,
  listColumns: defaultColumns,
  listWidths: {},
  listOrder: { by: 'id', sort: 'desc' },
  listPages: 'all',
  namedAddresses: [],
  statisticsAddresses: {},
}

/** Reads stored settings. A setting that this version can't read gets its default; the others are kept. */
export function readSettings(stored: unknown): Settings {
  const entries = z.record(z.string(), z.unknown()).safeParse(stored).data ?? {}
  const readable = Object.entries(entries).filter(([name, value]) => {
    const field = Object.hasOwn(settingsSchema.shape, name) && settingsSchema.shape[name as keyof Settings]
    return field && field.safeParse(value).success
  })
  return { ...defaultSettings, ...Object.fromEntries(readable) }
}

/** The way of requests to the service: directly, or through a proxy. `unsupported`: through a proxy that the app can't use. */
export const networkRouteSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('direct') }),
  z.object({
    kind: z.literal('proxy'),
    protocol: z.enum(['http', 'https', 'socks5']),
    host: z.string(),
    port: z.number().int(),
    /** The source of the login that the proxy gets: the user's entry in the settings, or an environment variable. */
    login: z.enum(['none', 'stored', 'environment']),
  }),
  z.object({ kind: z.literal('unsupported') }),
])
export type NetworkRoute = z.infer<typeof networkRouteSchema>

/** Facts about the app and the system, for the settings and diagnostics. */
export const aboutSchema = z.object({
  version: z.string(),
  runtime: z.string(),
  folder: z.string(),
  /** The files and folders of trusted certificates that the environment names (`SSL_CERT_FILE`, …). */
  certificates: z.array(z.string()),
})
export type AboutInfo = z.infer<typeof aboutSchema>
