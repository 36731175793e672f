import type { Result } from '../../../src/shared/result.ts'
import type { App } from '../app/app.ts'
import type { World } from '../world/world.ts'

export interface CommandPart<T> {
  taken: (value: T) => void
  /** Called if the process ended before the answer. Returns the answer, or undefined if the command isn't on disk. */
  found: (app: App) => T | undefined
}

/** Runs a command for up to a minute. Returns undefined if there is no answer by then or the process has ended. */
export async function ask<T>(world: World, command: (app: App) => T | Promise<T>): Promise<T | undefined> {
  const { app, time } = world
  const asked: { answer?: T } = {}
  void Promise.resolve(command(app)).then((answer) => (asked.answer = answer))
  await time.run(time.now + 60_000, () => asked.answer !== undefined || !app.appRun.alive)
  return app.appRun.alive ? asked.answer : undefined
}

export async function give<T>(
  world: World,
  command: (app: App) => Result<T> | Promise<Result<T>>,
  part: CommandPart<T>,
): Promise<void> {
  const answer = await ask(world, command)
  await settle(world, answer && [answer], [part])
}

export async function giveBulk<T>(
  world: World,
  command: (app: App) => Promise<Result<T>[]>,
  parts: readonly CommandPart<T>[],
): Promise<void> {
  await settle(world, await ask(world, command), parts)
}

/** Records the acknowledged parts. If the process has ended, starts it again and records the parts that reached the disk. */
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
