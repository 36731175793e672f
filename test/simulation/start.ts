import type { Action } from './world/actions.ts'
import type { Disk } from './disk/disk.ts'
import { perform } from './user/perform.ts'
import { Seeded, seedOf } from './machine/random.ts'
import type { Fault } from './service/faults.ts'
import type { Sent } from './service/network.ts'
import type { Quirks } from './service/quirks.ts'
import { User } from './user/user.ts'
import { newMachine, World, type Machine } from './world/world.ts'

export interface Started {
  world: World
  random: Seeded
  perform: (action: Action) => Promise<void>
  /** Stops all faults from now on. `false`: allows them again. */
  calm: (isCalm?: boolean) => void
  end: () => Promise<void>
}

export function startWorld(
  { seed, quirks, websites }: { seed: number; quirks: Quirks; websites: number },
  disk: (newKey: () => string) => Disk,
  fault: (request: Sent, isWrite: boolean) => Fault | null,
  machine: Machine = newMachine(),
): Started {
  let isCalm = false
  const world = new World({
    seed,
    quirks,
    disk,
    websites,
    machine,
    fault: (request, isWrite) => (isCalm ? null : fault(request, isWrite)),
  })
  const user = new User(world)
  return {
    world,
    perform: (action) => perform(world, user, action),
    random: new Seeded(seedOf(seed, 3)),
    calm: (now = true) => void (isCalm = now),
    async end() {
      await world.quit()
      world.app.appRun.end()
      world.disk.erase()
    },
  }
}
