/**
 * The contract between the renderer and main: each command (request and answer) and each event is declared once, here. Preload exposes
 * it as `window.siteward`, and main registers a handler for each command. Main checks a request before its handler gets it, and an
 * answer before it is returned.
 */
import { z } from 'zod'
import { accountViewSchema } from '../shared/account.ts'
import {
  activityFilterSchema,
  activityPageSchema,
  activityQuerySchema,
  websiteVersionSchema,
} from '../shared/activity.ts'
import { MAX_BULK_WEBSITES } from '../shared/bulk.ts'
import {
  apiKeySchema,
  connectionEntrySchema,
  connectionNameSchema,
  connectionViewSchema,
  secretStorageSchema,
} from '../shared/connection.ts'
import { destinationSchema } from '../shared/destination.ts'
import { setUpCheckSchema } from '../shared/diagnostics.ts'
import {
  editPageSchema,
  editViewSchema,
  importResultSchema,
  importEffectSchema,
  undoableSaveSchema,
  resolutionSchema,
  undoOutcomeSchema,
} from '../shared/edit.ts'
import { listFormats } from '../shared/list-settings.ts'
import { presetComparisonSchema, presetSchema } from '../shared/preset.ts'
import type { Result } from '../shared/result.ts'
import { aboutSchema, appStateSchema, settingsSchema } from '../shared/state.ts'
import { listSelectionSchema, formDraftsSchema } from '../shared/form-draft.ts'
import { updateSchema } from '../shared/update.ts'
import { MAX_FILTERS } from '../shared/search.ts'
import {
  filterSchema,
  listQuerySchema,
  seenSettingsSchema,
  websiteChangesSchema,
  websiteDraftSchema,
  websitePageSchema,
  websiteViewSchema,
} from '../shared/website.ts'
import { bulkCommands } from './bulk-commands.ts'
import { command, key, noValue, page, perPage } from './command.ts'
import { localCommands } from './local-commands.ts'
import { networkCommands } from './network-commands.ts'

const filteredQuerySchema = listQuerySchema.extend({ filters: z.array(filterSchema).max(MAX_FILTERS).default([]) })

/** The commands that the page can send to main, with the schemas of their requests and answers. */
export const commands = {
  getState: command(noValue, appStateSchema),
  getAbout: command(noValue, aboutSchema),
  /** Returns the addresses by which the service sees this computer, as far as this computer can know them. */
  getOwnAddresses: command(noValue, z.array(z.string().max(45)).max(2)),
  getSettings: command(noValue, settingsSchema),
  /** Keeps the user's unsaved input, without secrets, for when the page is loaded again, for example after a crash. */
  keepFormDrafts: command(formDraftsSchema, noValue),
  /** Returns what `keepFormDrafts` last kept for the active connection, or null. */
  getFormDrafts: command(noValue, formDraftsSchema.nullable()),
  /** Returns the destination that a link, the tray, a menu or a notification has asked for, once. Null if none. */
  takeDestination: command(noValue, destinationSchema.nullable()),
  /** Changes the given settings, and returns all settings. */
  setSettings: command(settingsSchema.partial(), settingsSchema),
  /** Checks everything that the app needs, with one read from the service. The results are in the order of `setUpParts`. */
  checkSetUp: command(noValue, z.array(setUpCheckSchema)),
  /** Copies versions, states, counts and the latest errors to the clipboard, with the service's address if `address` is true. */
  copyDiagnostics: command(z.object({ address: z.boolean() }), noValue),
  dismissMishap: command(noValue, noValue),
  /** Quits the app as its menu does. Unsaved text is kept, except secrets. */
  quit: command(noValue, noValue),
  /** Looks for a newer version and returns the new `update` of the state. Null if this installation doesn't look. */
  checkForUpdate: command(noValue, updateSchema.nullable()),
  /** Downloads the newer version that the state shows, if any. */
  downloadUpdate: command(noValue, noValue),
  /** Restarts into the downloaded version as soon as nothing is being sent. */
  restartToUpdate: command(noValue, noValue),

  /**
   * Reads the account with the address and the key, then stores both and refreshes.
   * `account-unclear`: a connection to this address exists, and the service doesn't tell if the key belongs to its account. The
   * user may then say that it does (`same` is true), or that it doesn't (`same` is false: the existing connection stays as it
   * is).
   */
  connect: command(
    z.object({
      address: z.string().max(2048),
      apiKey: apiKeySchema,
      keep: secretStorageSchema,
      same: z.boolean().optional(),
    }),
    connectionViewSchema,
  ),
  /** Checks with one request, without a key, if the service answers at an address. */
  checkAddress: command(z.object({ address: z.string().max(2048) }), noValue),
  /** Opens the service, at the address last given to `checkAddress`, in the browser over https. Errors: `bad-address`. */
  openService: command(noValue, noValue),
  /**
   * Opens a website, or its statistics on the service, in the browser, and only over https. Main builds the address, so that the
   * page can't choose it. Errors: `bad-address`, `website-gone`.
   */
  openWebsite: command(z.object({ key, page: z.enum(['website', 'statistics']) }), noValue),
  trySample: command(noValue, connectionViewSchema),
  /**
   * Replaces the key by another one of the same account.
   * `other-account`: the key belongs to another account.
   * `account-unclear`: the service doesn't tell the account. The user may then say that it is the same (`same`).
   */
  replaceKey: command(
    z.object({ apiKey: apiKeySchema, keep: secretStorageSchema, same: z.boolean().optional() }),
    connectionViewSchema,
  ),
  /**
   * Cancels a running `connect`, `trySample` or `switchConnection`. That command returns `no-connection` and changes nothing,
   * unless its change has already begun.
   */
  cancelConnect: command(noValue, noValue),
  /**
   * Closes the active connection and removes its key. Its websites and edits stay on disk. `keyLeft`: the keychain refused to
   * remove the key, and will be asked again.
   */
  disconnect: command(noValue, z.object({ keyLeft: z.boolean() })),
  listConnections: command(noValue, z.array(connectionEntrySchema)),
  /** Switches to another connection, with its key from the keychain. Each connection keeps its own edits. */
  switchConnection: command(z.object({ id: key }), connectionViewSchema),
  /** Renames a connection. With an empty name, the connection gets the name of its account. */
  renameConnection: command(z.object({ id: key, name: connectionNameSchema }), noValue),
  /** Returns the unsent edits of a connection, for the question before it is removed. */
  listEditsOf: command(z.object({ id: key, page, per_page: perPage }), editPageSchema),
  /**
   * Permanently deletes a connection's data, key and edits; nothing is deleted on the service.
   * `unsent`: the number of edits that the user agreed to discard (`edits-wait`: there are more).
   * `keepLocal`: tags, notes and views are kept for when the account is added again.
   * `keyLeft`: as for `disconnect`.
   */
  removeConnection: command(
    z.object({ id: key, unsent: z.number().int().min(0), keepLocal: z.boolean() }),
    z.object({ keyLeft: z.boolean() }),
  ),
  /** Reads the key of the active connection from the keychain again and, if that succeeds, the keys of the others. */
  retryKeychain: command(noValue, noValue),

  /** Returns a page of the list. Takes the parameters of the service (docs/interface.md#the-list) and the app's own filters. */
  listWebsites: command(filteredQuerySchema.extend({ page }), websitePageSchema),
  /** Returns the websites of the other accounts that match a search, at most ten of each account, sorted by domain. */
  findInOtherAccounts: command(
    z.object({ search: z.string().max(255) }),
    z.array(z.object({ account: key, name: z.string(), websites: z.array(websiteViewSchema) })),
  ),
  /** Returns the keys of the matching websites in the order of `listWebsites`. `from` counts from 0. */
  listKeys: command(
    filteredQuerySchema
      .omit({ per_page: true })
      .extend({ from: z.number().int().min(0), count: z.number().int().min(0).max(MAX_BULK_WEBSITES) }),
    z.array(z.string()),
  ),
  /**
   * Exports websites to a file that main asks for. Errors: `disk-full`, `not-written`.
   * `chosen`: the keys of the websites or, with `all`, the keys of those to leave out of all matching ones.
   * `saved`: false if the user canceled, in the dialog or later (`cancelExport`).
   */
  exportWebsites: command(
    filteredQuerySchema.omit({ per_page: true }).extend({ format: z.enum(listFormats), chosen: listSelectionSchema }),
    z.object({ saved: z.boolean(), websites: z.number().int() }),
  ),
  /** Cancels an `exportWebsites` that is under way. No file is written, unless its writing has already begun. */
  cancelExport: command(noValue, noValue),
  getWebsite: command(z.object({ key }), websiteViewSchema),
  /** Queues a new website. Once the edit is on disk, returns the website as it will be. */
  createWebsite: command(websiteDraftSchema, websiteViewSchema),
  /**
   * Corrects a website that the service doesn't have yet. The domain can be changed too. The password stays unless another is
   * given. `seen`: the settings that the form showed.
   */
  correctWebsite: command(
    z.object({ key, draft: websiteDraftSchema, seen: seenSettingsSchema.optional() }),
    websiteViewSchema,
  ),
  /**
   * Queues changes of a website, and returns the website as it will be.
   * `seen`: the settings that the form showed. Main may know newer values.
   * `seenAt`: the `updated_at` of the record that the user saw when they began to type.
   */
  updateWebsite: command(
    z.object({
      ...{ key, changes: websiteChangesSchema, seen: seenSettingsSchema.optional() },
      seenAt: z.string().max(100).optional(),
    }),
    websiteViewSchema,
  ),
  /** Queues a delete, which can be undone for ten seconds before it is sent. */
  deleteWebsite: command(z.object({ key }), noValue),
  /**
   * Returns the request that saving would send: `changes` to a website that the service has, otherwise the whole `draft`. Saves
   * nothing. `masked`: true if a statistics password would be sent. The password itself is not given.
   */
  previewSave: command(
    z.object({
      key: key.nullable(),
      changes: websiteChangesSchema.omit({ password: true }).optional(),
      draft: websiteDraftSchema.omit({ password: true }).optional(),
      masked: z.boolean(),
    }),
    editViewSchema.shape.request,
  ),
  ...bulkCommands,
  ...networkCommands,
  ...localCommands,
  listPresets: command(noValue, z.array(presetSchema)),
  /**
   * Saves a preset, or adds one if `id` is null. `forNew`: any other preset loses its `forNew`. `invalid-input`: `fields` has the
   * errors for `name` or `change`.
   */
  savePreset: command(
    presetSchema.omit({ name: true }).extend({ id: key.nullable(), name: z.string().max(1000) }),
    presetSchema,
  ),
  /** Removes a preset. Succeeds if it doesn't exist. */
  removePreset: command(z.object({ id: key }), noValue),
  /** Compares the websites with a preset. Errors: `preset-gone`. */
  comparePreset: command(z.object({ id: key, page }), presetComparisonSchema),
  /**
   * Starts to read the list and the account from the service, and doesn't wait for the end. Returns the value that
   * `refresh.ended` of the state will have when this read has ended. If another read is running, this one follows it.
   */
  refresh: command(noValue, z.number().int()),

  /**
   * Returns the edits: those that need attention first, then the others in sending order. With `website`, only the edits of this
   * website, all in sending order.
   */
  listEdits: command(
    z.object({
      page,
      per_page: perPage,
      website: key.optional(),
    }),
    editPageSchema,
  ),
  /** Returns the last save that was not undone, of one website or of all, pending or sent. Null if there is none. */
  getLastSave: command(z.object({ website: key.optional() }), undoableSaveSchema.nullable()),
  /**
   * Undoes the last save that went into an edit. `agreed`: true if the user has agreed, after the outcome `asks`. `whole`: true
   * undoes all saves of the edit.
   */
  undoEdit: command(
    z.object({ id: key, agreed: z.boolean().optional(), whole: z.boolean().optional() }),
    undoOutcomeSchema,
  ),
  /** Discards an edit that needs attention. */
  discardEdit: command(z.object({ id: key }), noValue),
  /** Tries to send one edit now or, without an id, all that aren't parked. Deletes then don't wait for Undo any longer. */
  sendNow: command(z.object({ id: key.optional() }), noValue),
  /**
   * Reads the website of a parked edit again when the user looks at the edit, so that the values in conflict are current. Queues
   * the edit again if nothing is left to decide.
   */
  readConflict: command(z.object({ id: key }), noValue),
  /** Resolves a parked edit. `edit-gone`: the edit is no longer parked, or its reason doesn't allow this resolution. */
  resolveEdit: command(z.object({ id: key, resolution: resolutionSchema }), noValue),

  listActivity: command(activityQuerySchema, activityPageSchema),
  /**
   * Returns the settings that a website had before or after an entry of its activity, as far as they are known. Errors:
   * `website-gone`, `edit-gone` (there is no such entry).
   */
  getVersion: command(
    z.object({ website: key, n: z.number().int(), side: z.enum(['before', 'after']) }),
    websiteVersionSchema,
  ),
  /**
   * Exports the activity that matches the filter as CSV to a file that main asks for. `saved` is false if the user canceled.
   * Errors: `disk-full`, `not-written`.
   */
  exportActivity: command(activityFilterSchema, z.object({ saved: z.boolean(), entries: z.number().int() })),
  /**
   * Queues an edit that reverses a sent change (`undo`), or that restores the values that a sent change has overwritten
   * (`putBack`). `password`: for a website that is created again.
   */
  revertEdit: command(
    z.object({ id: key, action: z.enum(['undo', 'putBack']), password: z.string().max(1000).optional() }),
    noValue,
  ),

  /**
   * Exports the pending edits to a file that main asks for. `saved` is false if the user canceled. `secrets`: the number of
   * passwords that were left out.
   */
  exportEdits: command(noValue, z.object({ saved: z.boolean(), edits: z.number().int(), secrets: z.number().int() })),
  /**
   * Asks for a file with exported edits and returns what an import would do; nothing is queued before {@link
   * commands.finishImport}. Null: no file was chosen. Errors: `not-read`, `bad-file`, `other-connection`, `newer-version`.
   */
  importEdits: command(noValue, importEffectSchema.nullable()),
  /** Imports the file that `importEdits` has summarized, or drops it if the user declined. Null: nothing was imported. */
  finishImport: command(z.object({ confirmed: z.boolean() }), importResultSchema.nullable()),
  /** Clears `salvaged` of the state, after the user has read what was restored. */
  dismissSalvage: command(noValue, noValue),
  /** Resets `mismatches` and `remoteChanges` of the state, because the user has opened the activity. */
  activitySeen: command(noValue, noValue),

  /** Returns the account as the service last returned it; null if it has never been read. */
  getAccount: command(noValue, accountViewSchema.nullable()),

  /** Reports an online or offline event of the window. If the event contradicts the state, main probes the service. */
  hintOnline: command(z.object({ online: z.boolean() }), noValue),
} as const

/** The events that main sends to the page, with the schemas of their payloads. */
export const events = {
  state: appStateSchema,
  /** The keys of the websites that changed; null if any may have. */
  websitesChanged: z.object({ keys: z.array(z.string()).nullable() }),
  /** The edits of the active connection, or the reasons why they are held, may have changed. */
  editsChanged: noValue,
  accountChanged: noValue,
  settingsChanged: settingsSchema,
  /** The number of websites that a long export has written so far. */
  exporting: z.object({ done: z.number().int(), total: z.number().int() }),
  /**
   * The progress of reading an import, in edits of a file or rows of a table. The rows count twice in `total`, because each is
   * read and then compared.
   */
  importing: z.object({ done: z.number().int(), total: z.number().int() }),
  /** The number of websites that a long bulk change has checked and queued so far. */
  changing: z.object({ done: z.number().int(), total: z.number().int() }),
  /** Sent when a destination can be taken: {@link commands.takeDestination}. */
  destination: noValue,
} as const

type Commands = typeof commands
export type CommandName = keyof Commands
/** A request as the renderer passes it: values with a default may be left out. */
export type CommandRequest<N extends CommandName> = z.input<Commands[N]['request']>
/** A request as a handler receives it: checked and with defaults. */
export type CheckedRequest<N extends CommandName> = z.output<Commands[N]['request']>
/** The value of a command's answer when it succeeds. */
export type CommandValue<N extends CommandName> = z.output<Commands[N]['answer']>
export type CommandAnswer<N extends CommandName> = Result<CommandValue<N>>

type Events = typeof events
export type EventName = keyof Events
export type EventPayload<N extends EventName> = z.output<Events[N]>

/** The function of the page that sends a command. */
type Call<N extends CommandName> =
  undefined extends CommandRequest<N>
    ? () => Promise<CommandAnswer<N>>
    : (request: CommandRequest<N>) => Promise<CommandAnswer<N>>

/** The only interface of the page to main: a function for each command, and the events. */
export type SitewardBridge = { readonly [N in CommandName]: Call<N> } & {
  /** Listens to an event. Calling the returned function stops listening. */
  readonly on: <N extends EventName>(event: N, listener: (payload: EventPayload<N>) => void) => () => void
}
