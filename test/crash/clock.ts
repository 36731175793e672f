/**
 * The time of these tests runs a hundred times as fast, for the service as for the process: a delete's ten seconds, or a
 * backoff, are a tenth of one. All processes of a machine have CLOCK_MONOTONIC in common, so that one's times can be
 * compared with another's.
 */
export const FASTER = 100

const START = Date.parse('2026-01-01T00:00:00.000Z')

/** Milliseconds that only go forward. */
export const monotonic = (): number => (Number(process.hrtime.bigint() / 1000n) / 1000) * FASTER

/** Milliseconds since 1970. */
export const wall = (): number => START + Math.floor(monotonic())
