import { Seeded } from '../model/random.ts'

/** A way to do a piece of work; what it does outside of `run` isn't timed. */
export interface Way {
  /** Once before each time it's timed. */
  before?: (round: number) => void | Promise<void>
  run: (round: number) => void | Promise<void>
}

export interface Timed {
  /** Milliseconds of each round. */
  rounds: number[]
  /** Milliseconds. */
  median: number
}

/**
 * Times several ways in turn, each once in a round: whatever else the machine does meets all of them alike. Their order is
 * another one in each round, as what runs right behind its like finds its way warm. The first rounds, which warm up what is
 * compiled and cached, don't count.
 */
export async function inTurn<N extends string>(
  ways: Record<N, Way>,
  { rounds, warm = 3 }: { rounds: number; warm?: number },
): Promise<Record<N, Timed>> {
  const names = Object.keys(ways) as N[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<N, number[]>
  const shuffle = shuffler()
  for (let round = -warm; round < rounds; round++) {
    for (const name of shuffle(names)) {
      const { before, run } = ways[name]
      await before?.(round + warm)
      const begun = performance.now()
      await run(round + warm)
      if (round >= 0) times[name].push(performance.now() - begun)
    }
  }
  return Object.fromEntries(
    names.map((name) => [name, { rounds: times[name], median: median(times[name]) }]),
  ) as Record<N, Timed>
}

/** Any order of them, the same ones in each run. */
function shuffler(): <T>(all: readonly T[]) => T[] {
  const seeded = new Seeded(1)
  return (all) => {
    const left = [...all]
    return all.flatMap(() => left.splice(Math.floor(seeded.fraction() * left.length), 1))
  }
}

/** How many times as long as the other it took: the median of the rounds' own ratios, which no slow minute shifts. */
export function ratio(ours: Timed, other: Timed): number {
  return median(ours.rounds.map((time, n) => time / (other.rounds[n] ?? Number.NaN)))
}

export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5)
}

/** `share` of the numbers, 0 to 1, are at most this. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
