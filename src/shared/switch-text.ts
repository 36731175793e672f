/** The values of a cell for on and off. All languages are accepted at once, so that a file works in each of them. */
const spellings = {
  on: [
    ...['1', 'on', 'yes', 'y', 'true', 'enabled'],
    ...['ein', 'an', 'ja', 'j', 'wahr'],
    ...['oui', 'o', 'vrai', 'activé'],
    ...['sí', 'si', 's', 'verdadero', 'activado'],
    ...['オン', 'はい', '真'],
  ],
  off: [
    ...['0', 'off', 'no', 'n', 'false', 'disabled'],
    ...['aus', 'nein', 'falsch'],
    ...['non', 'faux', 'désactivé'],
    ...['falso', 'desactivado'],
    ...['オフ', 'いいえ', '偽'],
  ],
} as const

/** The texts that spreadsheets read as true and false, and may write in another way. */
const BOOLEANS: ReadonlySet<string> = new Set([
  ...['true', 'false', 'wahr', 'falsch'],
  ...['vrai', 'faux', 'verdadero', 'falso'],
])

const switchValues = new Map<string, boolean>([
  ...spellings.on.map((spelling) => [spelling, true] as const),
  ...spellings.off.map((spelling) => [spelling, false] as const),
])

/** Returns the value of a cell of a switch, or undefined if it is neither on nor off. */
export const parseSwitch = (cell: string): boolean | undefined =>
  switchValues.get(cell.trim().normalize().toLowerCase())

/** True if a spreadsheet may read a cell as true or false. */
export const isSpreadsheetBoolean = (cell: string): boolean => BOOLEANS.has(cell.toLowerCase())
