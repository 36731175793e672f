/** Returns the number of cases or the seed from `npm run fuzz`. Undefined in `npm test`, where both are fixed. */
const number = (name: string): number | undefined => {
  const text = process.env[name]
  return text === undefined ? undefined : Number(text)
}

const seed = number('FUZZ_SEED') ?? 20_261
/** Time limit of a case in milliseconds. Only a case that hangs takes so long. */
const HANGS = 60_000

/** Returns the options of a property. `short`: the number of cases in `npm test`. */
export const settings = (short: number) => ({ seed, numRuns: number('FUZZ_RUNS') ?? short, timeout: HANGS })

/** Time limit of a test in milliseconds. In `npm run fuzz`, the number of cases ends a test, so its limit is a day. */
export const timeout = number('FUZZ_RUNS') === undefined ? 60_000 : 24 * 60 * 60_000
