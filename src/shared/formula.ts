/**
 * What a spreadsheet takes for a formula where a cell of a table begins with it. Such a cell is written with an apostrophe
 * before it, and so is one that begins with an apostrophe: what is read again is then what was written.
 */
export const FORMULA = /^['=+\-@\t\r\n＝＋－＠]/

/** A cell as it was before it was written. */
export const unguarded = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
