import type { Result } from '../../../src/shared/result.ts'
import type { App } from '../app/app.ts'
import type { World } from '../world/world.ts'

/** What a command does to one website. */
export interface CommandPart<T> {
  /** It was acknowledged. */
  taken: (value: T) => void
  /** What it would have answered, where it reached the disk although its answer was lost with the process. */
  found: (app: App) => T | undefined
}

/** Undefined: there was no answer, for the process had ended. */
export async function ask<T>(world: World, command: (app: App) => T | Promise<T>): Promise<T | undefined> {
  const { app, time } = world
  const asked: { answer?: T } = {}
  void Promise.resolve(command(app)).then((answer) => (asked.answer = answer))
  await time.run(time.now + 60_000, () => asked.answer !== undefined || !app.appRun.alive)
  return app.appRun.alive ? asked.answer : undefined
}

/** Gives a command, and notes what was taken of it. */
export async function give<T>(
  world: World,
  command: (app: App) => Result<T> | Promise<Result<T>>,
  part: CommandPart<T>,
): Promise<void> {
  const answer = await ask(world, command)
  await settle(world, answer && [answer], [part])
}

/** The same of one that's about many websites. */
export async function giveBulk<T>(
  world: World,
  command: (app: App) => Promise<Result<T>[]>,
  parts: readonly CommandPart<T>[],
): Promise<void> {
  await settle(world, await ask(world, command), parts)
}

async function settle<T>(
  world: World,
  answers: Result<T>[] | undefined,
  parts: readonly CommandPart<T>[],
): Promise<void> {
  if (world.app.appRun.alive) {
    for (const [at, { taken }] of parts.entries()) {
      const answer = answers?.[at]
      if (answer?.ok) taken(answer.value)
    }
    return
  }
  await world.restart(1_000)
  for (const { taken, found } of parts) {
    const value = found(world.app)
    if (value !== undefined) taken(value)
  }
}
