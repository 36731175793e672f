/**
 * Matches the start of a cell that a spreadsheet reads as a formula. Such a cell, and one that begins with an apostrophe,
 * is written with an apostrophe before it, which is removed when the file is read again.
 */
export const FORMULA = /^['=+\-@\t\r\n＝＋－＠]/

/** Returns a cell without the apostrophe that was added. */
export const unguarded = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
