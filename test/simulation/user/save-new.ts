import type { AppError } from '../../../src/shared/result.ts'
import type { WebsiteDraft, WebsiteView } from '../../../src/shared/website.ts'
import type { App } from '../app/app.ts'
import { give } from './run-command.ts'
import { isUnsentCreate, updating } from './parts.ts'
import { Seeded } from '../machine/random.ts'
import { isTaken, traceOf } from './trace.ts'
import { newChanges, type NewPassword } from './input.ts'
import { shownOf, type Changes } from '../ledger/intent.ts'
import type { UndoSaves } from './undo-saves.ts'
import type { World } from '../world/world.ts'

interface SaveNew {
  roll: number
  /** Time for which the form stays open, in milliseconds. */
  ms: number
  newPassword: NewPassword
  undoSaves: UndoSaves
}

/**
 * The user opens the form of a website whose create is not confirmed, and saves it after a while: the create may have been sent
 * or confirmed by then. Such a save is never refused because of that (docs/sync.md#sent-and-unsent-edits).
 */
export async function saveNew(
  world: World,
  opened: WebsiteView,
  { roll, ms, newPassword, undoSaves }: SaveNew,
): Promise<void> {
  const { key, domain } = opened
  const changes = newChanges(opened, new Seeded(roll), newPassword)
  const seen = shownOf(opened)
  await world.pass(ms)
  const now = world.app.view.get(key)
  if (now === null) return
  const draft = { ...seen, ...changes, domain } as WebsiteDraft
  const part = updating(world, now, changes, seen)
  const before = traceOf(world.app, key, changes)
  await give<unknown>(
    world,
    async (app) => {
      const saved = await app.outbox.correct(key, draft, seen)
      if (!saved.ok && isAboutCreate(saved.error) && isPresent(app, key)) {
        world.refused.push(`${domain}: a save right after its create was refused because the create had left`)
      }
      return saved
    },
    {
      taken() {
        const hasCreate = world.app.edits().some((edit) => edit.website === key && edit.kind === 'create')
        undoSaves.saved(now, changes, hasCreate)
        // A create that has not been sent yet takes the whole draft.
        if (world.app.edits().some((edit) => edit.website === key && isUnsentCreate(edit)))
          recordReplacedCreate(world, key, draft, { changes, seen })
        else part.taken(undefined)
      },
      found: (app) => (isTaken(app, key, changes, before) ? true : undefined),
    },
  )
}

/** True if a save is refused because of what became of the create, and not because of the disk, the keychain or its values. */
const isAboutCreate = ({ code, fields }: AppError): boolean =>
  code === 'edit-gone' || code === 'website-gone' || fields?.['domain'] !== undefined

const isPresent = ({ view, edits }: App, key: string): boolean =>
  view.get(key) !== null && !edits().some(({ website, kind }) => website === key && kind === 'delete')

function recordReplacedCreate(
  { ledger, time }: World,
  key: string,
  draft: WebsiteDraft,
  { changes, seen }: { changes: Changes; seen: Changes },
): void {
  const password = ledger.passwordOf(key)
  const kept = draft.privacy === 2 && changes.password === undefined && password !== undefined
  ledger.created(key, kept ? { ...draft, password } : draft, time.now)
  // The form has shown these values, even if the create restores a deleted website, which then gets the changes instead.
  ledger.shown(key, seen, time.now)
}
