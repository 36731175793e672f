import { fail, ok, type AppError, type Result } from '../../../src/shared/result.ts'
import type { EditView, UndoOutcome } from '../../../src/shared/edit.ts'
import type { App } from '../app/app.ts'
import { giveBulk, type CommandPart } from './run-command.ts'
import { deciding, isSent, recordLeftAlone, recordUndoneDelete } from './parts.ts'
import type { World } from '../world/world.ts'

export function takeBackBulk(world: World, kind: 'create' | 'delete', count: number): Promise<void> {
  const edits = world.app
    .edits()
    .filter((edit) => edit.kind === kind && !isSent(edit.state))
    .slice(-count)
  const keys = edits.map(({ website }) => website)
  const parts = edits.map((edit) => takingBack(world, edit))
  return giveBulk(world, async (app) => (await app.outbox.takeBackBulk(kind, keys)).map(unlessAsked), parts)
}

/** Turns a question of the undo into an error: an edit that was sent in the meantime is left. */
const unlessAsked = (undone: Result<UndoOutcome>): Result<UndoOutcome> =>
  undone.ok && undone.value === 'asks' ? fail('edit-gone') : undone

function takingBack(world: World, edit: EditView): CommandPart<unknown> {
  const decided = deciding(world, edit)
  // A create that may have been carried out stays until its delete has gone to the service.
  const isDeleted = (app: App) => app.edits().some(({ website, kind }) => website === edit.website && kind === 'delete')
  const isPresent = (app: App) =>
    app.edits().some(({ id, kind }) => id === edit.id && kind === edit.kind) &&
    !(edit.kind === 'create' && isDeleted(app))
  return {
    taken() {
      if (isPresent(world.app)) throw new Error(`${edit.domain}: the ${edit.kind} was taken back, and is there`)
      decided()
      if (edit.state === 'parked') recordLeftAlone(world, edit)
      else recordUndoneDelete(world, edit)
    },
    found: (app) => (isPresent(app) ? undefined : true),
  }
}

/** Returns `count` items from position `first` on, modulo the length, each at most once. */
export const takeAround = <T>(all: readonly T[], first: number, count: number): T[] =>
  Array.from({ length: Math.min(count, all.length) }, (_, n) => all[(first + n) % all.length] as T)

export const asResults = (errors: readonly (AppError | null)[]): Result<unknown>[] =>
  errors.map((error) => (error === null ? ok(undefined) : { ok: false, error }))
