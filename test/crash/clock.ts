/** The clocks run a hundred times as fast. All processes share CLOCK_MONOTONIC, so their times can be compared. */
export const SPEED_UP = 100

const START = Date.parse('2026-01-01T00:00:00.000Z')

/** Milliseconds of the monotonic clock, sped up. */
export const monotonic = (): number => (Number(process.hrtime.bigint() / 1000n) / 1000) * SPEED_UP

/** Milliseconds since 1970 of the wall clock, sped up. */
export const wall = (): number => START + Math.floor(monotonic())
