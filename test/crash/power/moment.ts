import type { Line } from '../protocol.ts'
import type { Dice } from '../random.ts'
import type { Names, Remainder } from './disk.ts'
import type { Op } from './record.ts'

/** The recorded disk operations of a process, and its messages. */
export interface Run {
  ops: readonly Op[]
  lines: readonly Line[]
}

export interface Moment {
  op: number
  /** Nanoseconds of CLOCK_MONOTONIC. This time lies between two operations. */
  at: bigint
  remainder: Remainder
  names: Names
  garbage: boolean
}

/** Draws a moment of a run for the power cut. Draws critical moments more often than their share of the time. */
export function momentOf(run: Run, dice: Dice): Moment {
  const op = placeIn(run, dice)
  const begin = run.ops[op - 1]?.at ?? (run.ops[0]?.at ?? 1n) - 1n
  // After the last operation, the power cut may come up to ten seconds later, when everything was acknowledged.
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

/** Draws how many operations precede the power cut: any number, or one at a critical moment. */
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
      // Right after an edit was acknowledged.
      const promises = lines.filter(({ says }) => says === 'ok').map(({ at }) => BigInt(at))
      if (promises.length === 0) return anywhere()
      const promise = dice.pick(promises)
      return ops.filter(({ at }) => at <= promise).length
    }
    case 2:
      // During a commit: data is written and not synced yet.
      return behind(where(({ kind }, index) => kind === 'write' && ops[index + 1]?.kind === 'sync'))
    default:
      // While the database itself is written, or a file is created, truncated or removed.
      return behind(
        where((op) => op.kind !== 'sync' && (op.kind !== 'write' || !names.get(op.file)?.endsWith('-journal'))),
      )
  }
}
