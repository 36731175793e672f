import type { Finding } from './judge/fault.ts'
import { judgeRestored, type Backup } from './judge/restored.ts'
import { Seeded, seedOf } from './machine/random.ts'
import type { Started } from './start.ts'
import type { World } from './world/world.ts'

const MINUTE = 60_000

/** Returns the position of the action before which a schedule makes a backup, or null for none. Uses a seed of its own. */
export function backupBefore(seed: number, actions: number): number | null {
  const random = new Seeded(seedOf(seed, 10))
  return random.chance(0.3) ? random.below(actions) : null
}

export async function makeBackup({ disk, time }: World): Promise<Backup> {
  return { at: time.now, edits: await disk.backUp() }
}

/** Damages the file after all edits are delivered, restores an older backup, and judges what the app does then. */
export async function restoreAndJudge(
  { world, calm }: Pick<Started, 'world' | 'calm'>,
  backup: Backup,
): Promise<Finding[]> {
  await world.quit()
  world.app.appRun.end()
  const store = world.disk.open()
  const applied = new Set(backup.edits.map(({ id }) => id).filter((id) => store.wasApplied(id)))
  world.disk.restore()
  await world.restart(1_000)
  void world.app.refresh.rerun()
  calm(false)
  await world.pass(10 * MINUTE)
  calm()
  await world.pass(20 * MINUTE)
  // A pending edit keeps the ids of the edits that were merged into it.
  const merged = new Set((await world.disk.backUp()).flatMap(({ note }) => note?.also ?? []))
  return judgeRestored(world, backup, { applied, merged })
}
