/**
 * Schedules of schedules.test.ts, by their seed, that find what isn't mended yet: what each shows. One that passes has to
 * be taken out; one that fails and isn't here is a failure.
 */
export const open: ReadonlyMap<number, string> = new Map()
