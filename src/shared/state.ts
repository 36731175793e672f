import { z } from 'zod'
import { bulkChangeSchema } from './bulk-change.ts'
import { connectionViewSchema, keychainStateSchema, reachSchema } from './connection.ts'
import { languageSettingSchema, languageStateSchema } from './language.ts'
import { COLUMN_WIDTH, columnNames, defaultColumns } from './list-settings.ts'
import { appErrorSchema } from './result-schema.ts'
import { TEXT_SIZES } from './text-size.ts'
import { updateSchema } from './update.ts'
import { listQuerySchema, pageSizeSchema } from './website.ts'

/** What was restored in the place of a file that could not be used. */
export const recoverySchema = z.object({
  /** `unreleased`: the file is of a version before the first release, and stays as it is. */
  why: z.enum(['damaged', 'unreleased']),
  /** Milliseconds since 1970, for display alone. */
  at: z.number(),
  /** Path of the file that is not used. */
  quarantined: z.string(),
  /** When the backup was made that was restored, for display alone; null: there was none. */
  backupAt: z.number().nullable(),
  websites: z.number().int(),
  edits: z.number().int(),
})
export type Recovery = z.infer<typeof recoverySchema>

/** Everything about the app that every screen may show; small, sent whole whenever it changes. */
export const appStateSchema = z.object({
  connection: connectionViewSchema.nullable(),
  /** What keeps the last connection, or its edits, from being there: told until it's mended. */
  problem: appErrorSchema.nullable(),
  /** Connections that were made before, the latest first; none of the sample service. */
  known: z.array(z.object({ address: z.string(), name: z.string() })),
  reach: reachSchema,
  keychain: keychainStateSchema,
  /** What happened to the app itself, until it's dismissed: an error ended it (`restarted`) or its page (`reloaded`), or
   * the last run came to no orderly end (`cutShort`). */
  mishap: z.enum(['restarted', 'cutShort', 'reloaded']).nullable(),
  /** Null: this installation doesn't look for newer versions. */
  update: updateSchema.nullable(),
  language: languageStateSchema,
  /** The person has paused sending. */
  paused: z.boolean(),
  /** Edits that wait (not parked), and those that need the person. */
  waiting: z.number().int(),
  parked: z.number().int(),
  /** True if a request that was given up may still take effect and change something. */
  unconfirmed: z.boolean(),
  websites: z.number().int(),
  /**
   * What is being delivered: of `total` edits since nothing that can go waited `done` are; `seconds`: an honest estimate for
   * the rest once online, by the rate budget, null where none can be made. Null: nothing waits, or what the plan's limit holds alone.
   */
  drain: z.object({ done: z.number().int(), total: z.number().int(), seconds: z.number().nullable() }).nullable(),
  /** What comes of what was last done to many websites at once, until it's dismissed; null: there's nothing to tell. */
  bulkChange: bulkChangeSchema.nullable(),
  /** Changes that came out otherwise than they were sent, by the service or a late request, and haven't been looked at. */
  mismatches: z.number().int(),
  /** The file is of a newer version: everything is shown and can be exported, nothing is changed or sent. */
  readOnly: z.boolean(),
  /** A file was damaged, the app's own or the connection's: what was restored in its place. Until it's dismissed. */
  salvaged: recoverySchema.extend({ of: z.enum(['app', 'connection']) }).nullable(),
  refresh: z.object({
    running: z.boolean(),
    /** How many runs have ended since the connection was opened, whatever came of them. */
    ended: z.number().int(),
    /** How many websites this run has read so far, and how many there are, where the service tells. */
    read: z.number().int(),
    total: z.number().int().nullable(),
    /** When the last complete run ended; null: never. Milliseconds since 1970, for display alone. */
    seenAt: z.number().nullable(),
    error: appErrorSchema.nullable(),
  }),
})
export type AppState = z.infer<typeof appStateSchema>

const themes = ['system', 'light', 'dark'] as const
const column = z.enum(columnNames)
const { sort_by, sort } = listQuerySchema.shape
export const settingsSchema = z.object({
  language: languageSettingSchema,
  theme: z.enum(themes),
  /** In percent of the size that the system asks for. */
  textSize: z.literal(TEXT_SIZES),
  /** Nothing is sent until it's resumed; reading goes on. */
  paused: z.boolean(),
  /** The session starts the app, hidden. */
  startWithSession: z.boolean(),
  /** Closing the window minimises it: where there's no tray to bring it back from. */
  keepWindow: z.boolean(),
  /** Whether the desktop tells of it while nobody looks at the window: a delivery's end, what needs the person, the key. */
  notifySent: z.boolean(),
  notifyParked: z.boolean(),
  notifyKey: z.boolean(),
  /** The list of websites: which columns there are, those that were made wider or narrower (in rem), its order, its pages. */
  listColumns: z.array(column).max(columnNames.length).readonly(),
  listWidths: z.partialRecord(column, z.number().min(COLUMN_WIDTH.least).max(COLUMN_WIDTH.most)).readonly(),
  listOrder: z.strictObject({ by: sort_by.unwrap(), sort: sort.unwrap() }),
  listPages: pageSizeSchema,
})
export type Settings = z.infer<typeof settingsSchema>

/** As they are before anybody has chosen. */
export const defaultSettings: Settings = {
  language: 'system',
  theme: 'system',
  textSize: 100,
  paused: false,
  startWithSession: false,
  keepWindow: false,
  notifySent: true,
  notifyParked: true,
  notifyKey: true,
  listColumns: defaultColumns,
  listWidths: {},
  listOrder: { by: 'id', sort: 'desc' },
  listPages: 'all',
}

/** Whatever was stored: a setting that this version can't read falls back to its default, and no other with it. */
export function readSettings(stored: unknown): Settings {
  const given = z.record(z.string(), z.unknown()).safeParse(stored).data ?? {}
  const readable = Object.entries(given).filter(([name, value]) => {
    const field = Object.hasOwn(settingsSchema.shape, name) && settingsSchema.shape[name as keyof Settings]
    return field && field.safeParse(value).success
  })
  return { ...defaultSettings, ...Object.fromEntries(readable) }
}

/** How the service is reached as the system has it; `unsupported`: by a proxy that can't be used. */
export const proxySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('direct') }),
  z.object({ kind: z.literal('proxy'), host: z.string(), port: z.number().int() }),
  z.object({ kind: z.literal('unsupported') }),
])
export type ProxyView = z.infer<typeof proxySchema>

export const aboutSchema = z.object({
  version: z.string(),
  /** The runtime, for example "Electron 45.4.1". */
  runtime: z.string(),
  /** Where the data is kept. */
  folder: z.string(),
  /** The files and folders of trusted certificates that the environment names (`SSL_CERT_FILE`, …). */
  certificates: z.array(z.string()),
})
export type About = z.infer<typeof aboutSchema>
