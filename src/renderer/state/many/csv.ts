import { FORMULA } from '../../../shared/formula.ts'

/** What may part two columns. */
const SIGNS = ['\t', ',', ';', '|'] as const
/** Lines by which it's told which of them it is. */
const LOOKED_AT = 10

/**
 * The cells of a table in text, line by line (RFC 4180): a cell may stand between quotes, and then hold signs, line ends and
 * doubled quotes. What is quoted wrongly is taken as it stands. Lines end with `\n`.
 */
export const cellsOf = (text: string): string[][] => read(text, signOf(text))

/** Such a text, with commas; what a spreadsheet would take for a formula is kept from that (formula.ts). */
export const textOfCells = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(written).join(',')).join('\n')

function written(cell: string): string {
  const kept = FORMULA.test(cell) ? `'${cell}` : cell
  return /["\t,;|\n]|^\s|\s$/.test(kept) ? `"${kept.replaceAll('"', '""')}"` : kept
}

/**
 * The sign that cuts through the fewest quotes; of those the one by which the lines have the most even numbers of cells, and
 * where several would do, that which makes more of them.
 */
function signOf(text: string): string {
  let best = { sign: ',', cut: Infinity, unevenness: Infinity, width: 0 }
  for (const sign of SIGNS) {
    let cut = 0
    const counts = read(text, sign, LOOKED_AT, (cell) => (cut += Number(!isWhole(cell)))).map((row) => row.length)
    const unevenness = counts.reduce((sum, count, at) => sum + Math.abs(count - (counts[at - 1] ?? count)), 0)
    const width = counts.reduce((sum, count) => sum + count, 0) / counts.length
    const apart = cut - best.cut || unevenness - best.unevenness || best.width - width
    if (width > 1.5 && apart < 0) best = { sign, cut, unevenness, width }
  }
  return best.sign
}

/** No quotes, or those around it alone. */
const isWhole = (cell: string): boolean => !cell.includes('"') || /^"(?:[^"]|"")*" *$/.test(cell)

/** `most`: of lines that have something, no more; `each`: is told of every cell as it stands. */
function read(text: string, sign: string, most = Infinity, each: (cell: string) => void = () => {}): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let filled = 0
  for (let at = 0; filled < most; at++) {
    const end = text[at] === '"' ? endOfQuoted(text, at, sign) : endOfPlain(text, at, sign)
    const cell = text.slice(at, end)
    each(cell)
    row.push(unquoted(cell))
    at = end
    if (text[at] === sign) continue
    if (most === Infinity || row.some(Boolean)) rows.push(row)
    filled += Number(row.some(Boolean))
    row = []
    if (at >= text.length) break
  }
  return rows
}

const unquoted = (cell: string): string => {
  const [, within] = /^"([\s\S]*?)" *$/.exec(cell) ?? []
  return within === undefined ? cell.replace(/^"/, '') : within.replaceAll('""', '"')
}

function endOfPlain(text: string, from: number, sign: string): number {
  let at = from
  while (at < text.length && text[at] !== sign && text[at] !== '\n') at++
  return at
}

/** A quote ends a cell where nothing but spaces is between it and what parts cells; one that never ends has all the rest. */
function endOfQuoted(text: string, from: number, sign: string): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text[at + 1] === '"') {
      at++
      continue
    }
    let end = at + 1
    while (text[end] === ' ' && sign !== ' ') end++
    if (end >= text.length || text[end] === sign || text[end] === '\n') return end
  }
  return text.length
}
