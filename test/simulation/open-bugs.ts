/** Seeds of schedules.test.ts that fail because of an open bug, with what they show. Remove a seed once it passes. */
export const openBugs: ReadonlyMap<number, string> = new Map()
