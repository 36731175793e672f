import type { Line } from '../protocol.ts'
import type { Dice } from '../random.ts'
import type { Names, Remainder } from './disk.ts'
import type { Op } from './record.ts'

/** What a process asked of the disk, and what it said meanwhile. */
export interface Run {
  ops: readonly Op[]
  lines: readonly Line[]
}

/** When the power goes, and what is left of what wasn't synced. */
export interface Moment {
  /** So many operations had been made. */
  op: number
  /** Nanoseconds of CLOCK_MONOTONIC: between the last of them and the next. */
  at: bigint
  remainder: Remainder
  names: Names
  garbage: boolean
}

/** Any moment of a run; those at which most can go wrong more often than they take time. */
export function momentOf(run: Run, dice: Dice): Moment {
  const op = placeIn(run, dice)
  const begin = run.ops[op - 1]?.at ?? (run.ops[0]?.at ?? 1n) - 1n
  // To the last: all that was promised and done in between counts.
  const end = (run.ops[op]?.at ?? begin + 10_000_000_000n) - 1n
  const at = dice.chance(0.5) ? end : begin + ((end - begin) * BigInt(dice.below(1000))) / 1000n
  const drawn = dice.fraction()
  return {
    op,
    at,
    remainder: drawn < 0.35 ? 'nothing' : drawn < 0.7 ? 'any' : drawn < 0.9 ? 'first' : 'all',
    names: dice.chance(0.6) ? 'ordered' : 'loose',
    garbage: dice.chance(0.25),
  }
}

function placeIn({ ops, lines }: Run, dice: Dice): number {
  const anywhere = () => dice.below(ops.length + 1)
  const behind = (places: number[]): number => (places.length === 0 ? anywhere() : dice.pick(places) + 1)
  const where = (isMeant: (op: Op, index: number) => boolean): number[] =>
    ops.flatMap((op, index) => (isMeant(op, index) ? [index] : []))
  const names = new Map(ops.flatMap((op) => (op.what === 'open' ? [[op.file, op.path]] : [])))
  switch (dice.below(4)) {
    case 0:
      return anywhere()
    case 1: {
      // Just after a promise.
      const promises = lines.filter(({ says }) => says === 'ok').map(({ at }) => BigInt(at))
      if (promises.length === 0) return anywhere()
      const promise = dice.pick(promises)
      return ops.filter(({ at }) => at <= promise).length
    }
    case 2:
      // Within a commit: something is written and not yet synced.
      return behind(where(({ what }, index) => what === 'write' && ops[index + 1]?.what === 'sync'))
    default:
      // The database itself is written, a file is made, cut short or gone.
      return behind(
        where((op) => op.what !== 'sync' && (op.what !== 'write' || !names.get(op.file)?.endsWith('-journal'))),
      )
  }
}
