/**
 * Clocks that run a hundred times as fast, for the service and the process: ten seconds of a delete or a backoff take a
 * tenth of a second. All processes of a machine share CLOCK_MONOTONIC, so their times can be compared.
 */
export const SPEED_UP = 100

const START = Date.parse('2026-01-01T00:00:00.000Z')

/** Returns the time of the fast monotonic clock in milliseconds. */
export const monotonic = (): number => (Number(process.hrtime.bigint() / 1000n) / 1000) * SPEED_UP

/** Returns the time of the fast wall clock in milliseconds since 1970. */
export const wall = (): number => START + Math.floor(monotonic())
