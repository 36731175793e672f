/** A random number generator with a seed (mulberry32). */
export interface Dice {
  /** Returns a number n with 0 ≤ n < 1. */
  fraction(): number
  /** Returns a whole number n with 0 ≤ n < `below`. */
  below(below: number): number
  chance(likelihood: number): boolean
  pick<T>(from: readonly T[]): T
  /** Returns a separate generator for each name, so that one part's draws don't change those of another part. */
  of(name: string): Dice
}

export function dice(seed: number): Dice {
  let state = seed >>> 0
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    chance: (likelihood) => fraction() < likelihood,
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new Error('There is nothing to pick from.')
      return from[below(from.length)] as T
    },
    of: (name) => dice(hash(name, seed)),
  }
}

function hash(text: string, seed: number): number {
  let value = (seed ^ 0x811c9dc5) >>> 0
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return value
}
