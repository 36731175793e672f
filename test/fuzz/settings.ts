/**
 * Returns a number that `npm run fuzz` has set in the environment: the cases or the seed of the run. Undefined in `npm test`,
 * which runs few cases of one fixed seed, so that its result is the same each time.
 */
const number = (name: string): number | undefined => {
  const text = process.env[name]
  return text === undefined ? undefined : Number(text)
}

const seed = number('FUZZ_SEED') ?? 20_261
/** Time limit of a case in milliseconds, which only a case that hangs reaches. */
const HANGS = 60_000

/** Returns the options of a property, which runs `short` cases in `npm test`. */
export const settings = (short: number) => ({ seed, numRuns: number('FUZZ_RUNS') ?? short, timeout: HANGS })

/** Time limit of a test in milliseconds. A test of `npm run fuzz` ends by its number of cases, so its limit is a day. */
export const timeout = number('FUZZ_RUNS') === undefined ? 60_000 : 24 * 60 * 60_000
