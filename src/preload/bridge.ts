/**
 * THE CONTRACT between the renderer and main: each command (request and answer) and each event, declared once.
 * Preload exposes it as `window.siteward`, main registers a handler for each command, and both sides take their types
 * from here. A request is checked before its handler sees it, an answer before it leaves main.
 */
import { z } from 'zod'
import { accountViewSchema } from '../shared/account.ts'
import { MOST_AT_ONCE } from '../shared/bulk.ts'
import {
  apiKeySchema,
  connectionEntrySchema,
  connectionNameSchema,
  connectionViewSchema,
} from '../shared/connection.ts'
import { destinationSchema } from '../shared/destination.ts'
import { setUpCheckSchema } from '../shared/diagnostics.ts'
import {
  editPageSchema,
  editViewSchema,
  historyPageSchema,
  importedSchema,
  importSummarySchema,
  resolutionSchema,
  undoOutcomeSchema,
} from '../shared/edit.ts'
import { listFormats } from '../shared/list-settings.ts'
import { comparisonSchema, presetSchema } from '../shared/preset.ts'
import type { Result } from '../shared/result.ts'
import { aboutSchema, appStateSchema, proxySchema, settingsSchema } from '../shared/state.ts'
import { chosenSchema, formDraftsSchema } from '../shared/form-draft.ts'
import { updateSchema } from '../shared/update.ts'
import { MOST_FILTERS } from '../shared/search.ts'
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
import { command, key, nothing } from './command.ts'

/** `run`: the key is kept in main's memory until the app quits, never in the keychain. */
const keep = z.enum(['keychain', 'run'])

const filteredQuerySchema = listQuerySchema.extend({ filters: z.array(filterSchema).max(MOST_FILTERS).default([]) })

export const commands = {
  getState: command(nothing, appStateSchema),
  getAbout: command(nothing, aboutSchema),
  /** The way that the system has to the service just now; null: there's no connection. */
  getProxy: command(nothing, proxySchema.nullable()),
  /** The addresses that the service sees this computer by; none where that can't be known from here. */
  getOwnAddresses: command(nothing, z.array(z.string().max(45)).max(2)),
  getSettings: command(nothing, settingsSchema),
  /** What the person is in the middle of, for a page that comes after this one; no secret is in it. */
  keepFormDrafts: command(formDraftsSchema, nothing),
  getFormDrafts: command(nothing, formDraftsSchema.nullable()),
  /** Where the person wants to be led; null: nowhere. It's told once. */
  takeDestination: command(nothing, destinationSchema.nullable()),
  setSettings: command(settingsSchema.partial(), settingsSchema),
  /** Looks at all that the app stands on, in the order of `setUpParts`; asks the service once. */
  checkSetUp: command(nothing, z.array(setUpCheckSchema)),
  /** Puts versions, states and counts on the clipboard; `address`: the service's address too. */
  copyDiagnostics: command(z.object({ address: z.boolean() }), nothing),
  /** The person has read that the app, or its page, had to start anew. */
  dismissMishap: command(nothing, nothing),
  /** Ends the app, as its menu does; what is half typed is kept, but for secrets. */
  quit: command(nothing, nothing),
  /** Looks for a newer version now, where this installation does at all; answers when that has ended, with what it found. */
  checkForUpdate: command(nothing, updateSchema.nullable()),
  /** Fetches the newer version that the state tells of; where it tells of none nothing happens. */
  downloadUpdate: command(nothing, nothing),
  /** Restarts into the newer version that is ready, as soon as nothing is being sent. */
  restartToUpdate: command(nothing, nothing),

  /**
   * Checks address and key against the service (an authenticated account read), then keeps them and refreshes.
   * `account-unclear`: there's a connection to an account at this address already, and the service doesn't tell whether the
   * key is of that one; the person may say that it is (`same: true`), or that it isn't (`false`: it stays as it is).
   */
  connect: command(
    z.object({ address: z.string().max(2048), apiKey: apiKeySchema, keep, same: z.boolean().optional() }),
    connectionViewSchema,
  ),
  /** Whether the service answers at an address, asked once and without a key. */
  checkAddress: command(z.object({ address: z.string().max(2048) }), nothing),
  /**
   * Opens the service in the browser, at the address that `checkAddress` was last given, and only over https. Errors:
   * `bad-address`.
   */
  openService: command(nothing, nothing),
  /** Starts the embedded sample service and connects to it. */
  trySample: command(nothing, connectionViewSchema),
  /**
   * Only a key of the same account is taken (`other-account`). `account-unclear`: the service doesn't tell; the
   * person may say that it's the same (`same`).
   */
  replaceKey: command(z.object({ apiKey: apiKeySchema, keep, same: z.boolean().optional() }), connectionViewSchema),
  /** A connect that is under way answers `no-connection`, and changes nothing. */
  cancelConnect: command(nothing, nothing),
  /**
   * Forgets the key. Websites and edits stay on disk with their connection. `keyLeft`: the keychain didn't let it be
   * removed just now; it's removed as soon as it does.
   */
  disconnect: command(nothing, z.object({ keyLeft: z.boolean() })),
  /** Every connection on this computer, in the order in which they were made. */
  listConnections: command(nothing, z.array(connectionEntrySchema)),
  /** Goes on with another one, with the key that the keychain has for it; the edits of each stay with it. */
  switchConnection: command(z.object({ id: key }), connectionViewSchema),
  renameConnection: command(z.object({ id: key, name: connectionNameSchema }), nothing),
  /** The unsent edits of one of them, for the person to see what would go with it. */
  listEditsOf: command(
    z.object({ id: key, page: z.number().int().min(1).max(100_000), per_page: z.number().int().min(1).max(100) }),
    editPageSchema,
  ),
  /**
   * Deletes a connection's data, its key and its edits, for good; the service keeps what it has. `unsent`: how many edits
   * the person has agreed to give up (`edits-wait`: there are more). `keyLeft`: as for `disconnect`.
   */
  removeConnection: command(z.object({ id: key, unsent: z.number().int().min(0) }), z.object({ keyLeft: z.boolean() })),
  /** Asks the keychain again. */
  retryKeychain: command(nothing, nothing),

  /** By the interface's parameters, and by filters of ours. */
  listWebsites: command(filteredQuerySchema.extend({ page: z.number().int().min(1).max(100_000) }), websitePageSchema),
  /** The keys of those that match, in the same order; `from` counts from 0. */
  listKeys: command(
    filteredQuerySchema
      .omit({ per_page: true })
      .extend({ from: z.number().int().min(0), count: z.number().int().min(0).max(MOST_AT_ONCE) }),
    z.array(z.string()),
  ),
  /**
   * Those of them that are chosen into a file; main asks where to. `saved`: false where the person thought better of it,
   * there or later (`cancelExport`). Errors: `disk-full`, `not-written`.
   */
  exportWebsites: command(
    filteredQuerySchema.omit({ per_page: true }).extend({ format: z.enum(listFormats), chosen: chosenSchema }),
    z.object({ saved: z.boolean(), websites: z.number().int() }),
  ),
  /** Nothing of a list that is still being written down is kept. */
  cancelExport: command(nothing, nothing),
  /** The person has looked at what others did to it (`remoteChange`). */
  lookedAt: command(z.object({ key }), nothing),
  /** The same of every website. */
  allLookedAt: command(nothing, nothing),
  getWebsite: command(z.object({ key }), websiteViewSchema),
  /** Answers once the edit is on disk, with the website as it will be. */
  createWebsite: command(websiteDraftSchema, websiteViewSchema),
  /**
   * Corrects a website that the service doesn't have yet, its domain too. The password stays unless another is given. `seen`: the
   * settings that the form showed.
   */
  correctWebsite: command(
    z.object({ key, draft: websiteDraftSchema, seen: seenSettingsSchema.optional() }),
    websiteViewSchema,
  ),
  updateWebsite: command(
    z.object({ key, changes: websiteChangesSchema, seen: seenSettingsSchema.optional() }),
    websiteViewSchema,
  ),
  deleteWebsite: command(z.object({ key }), nothing),
  /**
   * What saving would send, and nothing of it is saved: `changes` of a website that the service has, else the whole `draft`.
   * `masked`: whether a statistics password goes with it, for which a mask stands: it isn't given.
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
  /** The presets of this connection, by their names. */
  listPresets: command(nothing, z.array(presetSchema)),
  /** A new one (`id` null), or what one is from now on. `invalid-input`: `name` or `change` in `fields` tells why. */
  savePreset: command(
    z.object({ id: key.nullable(), name: z.string().max(1000), change: presetSchema.shape.change }),
    presetSchema,
  ),
  /** One that isn’t there any more is as good as removed. */
  removePreset: command(z.object({ id: key }), nothing),
  /** How the websites stand to a preset. `preset-gone`: there's none. */
  comparePreset: command(z.object({ id: key, page: z.number().int().min(1).max(100_000) }), comparisonSchema),
  /** Reads the list and the account from the service; answers what `refresh.ended` of the state is once that has ended. */
  refresh: command(nothing, z.number().int()),

  /** Those that need the person, then the order in which the others will be sent; `website`: those of one alone. */
  listEdits: command(
    z.object({
      page: z.number().int().min(1).max(100_000),
      per_page: z.number().int().min(1).max(100),
      website: key.optional(),
    }),
    editPageSchema,
  ),
  /** Takes back an edit that wasn't sent. */
  /** Takes back the last save that went into an edit. `agreed`: the user has agreed that this deletes a website. */
  undoEdit: command(z.object({ id: key, agreed: z.boolean().optional() }), undoOutcomeSchema),
  /** Gives up an edit that needs the person. */
  discardEdit: command(z.object({ id: key }), nothing),
  /** Tries what waits, now; one edit, or all. */
  sendNow: command(z.object({ id: key.optional() }), nothing),
  /** The person's word on a parked edit. `edit-gone`: it isn't parked any more, or not so. */
  resolveEdit: command(z.object({ id: key, resolution: resolutionSchema }), nothing),

  /** What became of edits, the latest first; `website`: those of one alone. */
  listHistory: command(
    z.object({
      page: z.number().int().min(1).max(100_000),
      per_page: z.number().int().min(1).max(100),
      website: key.optional(),
    }),
    historyPageSchema,
  ),
  /** Queues the reverse of what was sent, or puts back what was overwritten. `password`: for a website created again. */
  revertEdit: command(
    z.object({ id: key, what: z.enum(['undo', 'putBack']), password: z.string().max(1000).optional() }),
    nothing,
  ),

  /** Main asks where to. `saved`: false where the person thought better of it; `secrets`: passwords that were left out. */
  exportEdits: command(nothing, z.object({ saved: z.boolean(), edits: z.number().int(), secrets: z.number().int() })),
  /**
   * Asks for a file and says what it would do; nothing is queued before {@link commands.finishImport}. Null: no file was chosen.
   * Errors: `bad-file`, `other-connection`.
   */
  importEdits: command(nothing, importSummarySchema.nullable()),
  /** Imports the file that was summarised, if the user confirmed; otherwise drops it. Null: nothing was imported. */
  finishImport: command(z.object({ confirmed: z.boolean() }), importedSchema.nullable()),
  /** The person has read what was salvaged. */
  dismissSalvage: command(nothing, nothing),
  /** What came out otherwise than it was sent has been shown. */
  lookedAtHistory: command(nothing, nothing),

  getAccount: command(nothing, accountViewSchema.nullable()),

  /** The window's online/offline events: a hint, never a proof. */
  hintOnline: command(z.object({ online: z.boolean() }), nothing),
} as const

export const events = {
  state: appStateSchema,
  /** Websites whose view changed; null: any may have. */
  websitesChanged: z.object({ keys: z.array(z.string()).nullable() }),
  editsChanged: nothing,
  accountChanged: nothing,
  settingsChanged: settingsSchema,
  /** How many websites of a long list that is exported are written down; a short one is done before there's anything to tell. */
  exporting: z.object({ done: z.number().int(), total: z.number().int() }),
  /** How many rows of an imported file have been checked. */
  importing: z.object({ done: z.number().int(), total: z.number().int() }),
  /** There's somewhere to go: {@link commands.takeDestination}. */
  destination: nothing,
} as const

type Commands = typeof commands
export type CommandName = keyof Commands
export type CommandRequest<N extends CommandName> = z.input<Commands[N]['request']>
/** A request as a handler receives it: checked, defaults filled in. */
export type CheckedRequest<N extends CommandName> = z.output<Commands[N]['request']>
export type CommandValue<N extends CommandName> = z.output<Commands[N]['answer']>
export type CommandAnswer<N extends CommandName> = Result<CommandValue<N>>

type Events = typeof events
export type EventName = keyof Events
export type EventPayload<N extends EventName> = z.output<Events[N]>

type Call<N extends CommandName> =
  undefined extends CommandRequest<N>
    ? () => Promise<CommandAnswer<N>>
    : (request: CommandRequest<N>) => Promise<CommandAnswer<N>>

/** What `window.siteward` is. */
export type SitewardBridge = { readonly [N in CommandName]: Call<N> } & {
  /** Listens to an event; the answer stops it. */
  readonly on: <N extends EventName>(event: N, listener: (payload: EventPayload<N>) => void) => () => void
}
