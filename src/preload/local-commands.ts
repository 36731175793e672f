import { z } from 'zod'
import { savedViewSchema, viewDraftSchema } from '../shared/saved-view.ts'
import { command, key, nothing } from './command.ts'

/** The commands of the contract (bridge.ts) for what stays on this computer. */
export const localCommands = {
  /** Returns the saved views of this connection, sorted by name. */
  listViews: command(nothing, z.array(savedViewSchema)),
  /** Saves a view, a new one if `id` is null. `invalid-input`: `fields` has the errors for `name`. */
  saveView: command(viewDraftSchema, savedViewSchema),
  /** Removes a view. Succeeds if it doesn't exist. */
  removeView: command(z.object({ id: key }), nothing),
} as const
