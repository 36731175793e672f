/**
 * The number of cases, and the seed of the run. `npm test` runs few cases of one fixed seed, so that it says the same each
 * time; `npm run fuzz` sets both and prints them.
 */
const number = (name: string): number | undefined => {
  const text = process.env[name]
  return text === undefined ? undefined : Number(text)
}

const seed = number('FUZZ_SEED') ?? 20_261
/** Milliseconds that no case comes near to, unless it hangs. */
const HANGS = 60_000

/** The runs of a property: `short` of them in `npm test`. */
export const settings = (short: number) => ({ seed, numRuns: number('FUZZ_RUNS') ?? short, timeout: HANGS })

/** Milliseconds; a long fuzz ends by its number of runs, not by the clock. */
export const timeout = number('FUZZ_RUNS') === undefined ? 60_000 : 24 * 60 * 60_000
