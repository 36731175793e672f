import type { Line } from '../protocol.ts'
import type { Dice } from '../random.ts'
import type { Names, Remainder } from './disk.ts'
import type { Op } from './record.ts'

/** The disk operations of a process, and its messages in between. */
export interface Run {
  ops: readonly Op[]
  lines: readonly Line[]
}

/** The moment of a power cut, and what survives of the changes that weren't synced. */
export interface Moment {
  /** Number of operations before the power cut. */
  op: number
  /** Nanoseconds of CLOCK_MONOTONIC, between the last operation and the next one. */
  at: bigint
  remainder: Remainder
  names: Names
  garbage: boolean
}

/** Draws a moment of a run. Critical moments are drawn more often than their share of the time. */
export function momentOf(run: Run, dice: Dice): Moment {
  const op = placeIn(run, dice)
  const begin = run.ops[op - 1]?.at ?? (run.ops[0]?.at ?? 1n) - 1n
  // The end of the run counts too, with everything acknowledged before it.
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

/** Draws the number of operations before the power cut: any number, or one at a critical moment. */
function placeIn({ ops, lines }: Run, dice: Dice): number {
  const anywhere = () => dice.below(ops.length + 1)
  const behind = (places: number[]): number => (places.length === 0 ? anywhere() : dice.pick(places) + 1)
  const where = (isMeant: (op: Op, index: number) => boolean): number[] =>
    ops.flatMap((op, index) => (isMeant(op, index) ? [index] : []))
  const names = new Map(ops.flatMap((op) => (op.kind === 'open' ? [[op.file, op.path]] : [])))
  switch (dice.below(4)) {
    case 0:
      return anywhere()
    case 1: {
      // Right after an acknowledgement.
      const promises = lines.filter(({ says }) => says === 'ok').map(({ at }) => BigInt(at))
      if (promises.length === 0) return anywhere()
      const promise = dice.pick(promises)
      return ops.filter(({ at }) => at <= promise).length
    }
    case 2:
      // Within a commit: something is written and not synced yet.
      return behind(where(({ kind }, index) => kind === 'write' && ops[index + 1]?.kind === 'sync'))
    default:
      // The database is written, or a file is created, truncated or removed.
      return behind(
        where((op) => op.kind !== 'sync' && (op.kind !== 'write' || !names.get(op.file)?.endsWith('-journal'))),
      )
  }
}
