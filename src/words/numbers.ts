const format = new Intl.NumberFormat()

export const number = (n: number): string => format.format(n)

/** "1 change", "3 changes". */
export const count = (n: number, one: string, many = `${one}s`): string => `${number(n)} ${n === 1 ? one : many}`
