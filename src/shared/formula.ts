import { isSpreadsheetBoolean } from './switch-text.ts'

/**
 * Matches the start of a cell that a spreadsheet reads as a formula. Such a cell, and one that begins with an apostrophe,
 * is written with an apostrophe before it, which is removed when the file is read again.
 */
const FORMULA = /^['=+\-@\t\r\n＝＋－＠]/

/**
 * Matches a separator or line break before a formula, perhaps with quotation marks or apostrophes between them. A spreadsheet
 * that expects this separator begins a new cell there.
 */
const INNER_FORMULA = /([,;\t\r\n])(?=["']*[=+\-@＝＋－＠])/g
/** Matches the same as {@link INNER_FORMULA}, with the apostrophe that {@link escapeInnerFormulas} adds. */
const ESCAPED_INNER_FORMULA = /([,;\t\r\n])'(?=["']*[=+\-@＝＋－＠])/g

/** Puts an apostrophe before each formula that a spreadsheet would find inside the cell if it expected another separator. */
const escapeInnerFormulas = (cell: string): string => cell.replaceAll(INNER_FORMULA, "$1'")

/** Puts an apostrophe before a cell, and before each part of it, that a spreadsheet would run as a formula. */
export const escapeFormulas = (cell: string): string => escapeInnerFormulas(FORMULA.test(cell) ? `'${cell}` : cell)

/** The content of a cell that empties a list or the tags, or removes the note. An empty cell leaves the field as it is. */
const CLEARING = '(none)'

/** True if the cell empties its field. */
export const isClearingCell = (cell: string): boolean => cell.trim().toLowerCase() === CLEARING

/** Texts with digits that no spreadsheet reads as a number, a date or a time. */
const plainTextPatterns = [
  /\n/,
  // A whole number that stays as it is: no leading zero, and short enough to be shown without an exponent.
  /^(?:0|[1-9]\d{0,9})$/,
  // A domain. "5.mar" is a date in some languages.
  /^(?!\d+\.\p{L}+$)(?:[\p{L}\w-]+\.)+\p{L}[\p{L}\w-]*[\p{L}\d]$/u,
  // An IPv4 address or range. Three groups of three digits are a number where "." separates thousands.
  /^(?!\d+(?:\.\d{3}){3}$)\d+(?:\.\d+){3}(?:\/\d+)?$/,
]

/** True if a spreadsheet would change a cell when it opens and saves the file, or if an import would read the cell as a clearing one. */
function needsEscape(cell: string): boolean {
  if (FORMULA.test(cell) || cell.startsWith('#')) return true
  if (isClearingCell(cell) || isSpreadsheetBoolean(cell)) return true
  return /\p{N}/u.test(cell) && !plainTextPatterns.some((plain) => plain.test(cell))
}

/** Puts an apostrophe before a cell that a spreadsheet would change, and before each part that it would run as a formula. */
export const escapedCell = (cell: string): string => escapeInnerFormulas(needsEscape(cell) ? `'${cell}` : cell)

/** Removes the apostrophes that {@link escapedCell} adds. */
export const unescapedCell = (cell: string): string =>
  (cell.startsWith("'") ? cell.slice(1) : cell).replaceAll(ESCAPED_INNER_FORMULA, '$1')
