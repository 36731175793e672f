/** The texts of a cell that mean on and off, in all languages, so that a file works in each of them. */
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

/** Texts that spreadsheets read as true and false, and may save in another language. */
const BOOLEANS: ReadonlySet<string> = new Set([
  ...['true', 'false', 'wahr', 'falsch'],
  ...['vrai', 'faux', 'verdadero', 'falso'],
])

const switchValues = new Map<string, boolean>([
  ...spellings.on.map((spelling) => [spelling, true] as const),
  ...spellings.off.map((spelling) => [spelling, false] as const),
])

/** Returns the value of a switch from a cell in any of the app's languages, or undefined for another text. */
export const parseSwitch = (cell: string): boolean | undefined =>
  switchValues.get(cell.trim().normalize().toLowerCase())

/** True for a text with which a spreadsheet writes true or false. */
export const isSpreadsheetBoolean = (cell: string): boolean => BOOLEANS.has(cell.toLowerCase())
