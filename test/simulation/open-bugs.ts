/**
 * Seeds of schedules in schedules.test.ts that fail because of an open bug, with what they show. A seed that passes must be
 * removed.
 */
export const openBugs: ReadonlyMap<number, string> = new Map()
