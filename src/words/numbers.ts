import { number } from '../shared/display/format.ts'

/** "1 change", "3 changes". */
export const count = (n: number, one: string, many = `${one}s`): string => `${number(n)} ${n === 1 ? one : many}`
