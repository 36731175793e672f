/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Seeded {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number n with 0 ≤ n < 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Returns a whole number n with 0 ≤ n < `below`. */
  below(below: number): number {
    return Math.floor(this.fraction() * below)
  }

  /** Returns a number n with `from` ≤ n < `to`, which need not be whole. */
  between(from: number, to: number): number {
    return from + this.fraction() * (to - from)
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.below(from.length)]
    if (picked === undefined) throw new Error('There is nothing to pick from.')
    return picked
  }

  weighted<T extends string>(weights: Readonly<Partial<Record<T, number>>>): T {
    const entries = Object.entries(weights) as [T, number][]
    let left = this.fraction() * entries.reduce((total, [, weight]) => total + weight, 0)
    for (const [name, weight] of entries) if ((left -= weight) < 0) return name
    return entries[0]?.[0] as T
  }
}

/** Returns the seed of the `n`th of several parts that are derived from one seed. */
export function seedOf(seed: number, n: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(n + 1, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
