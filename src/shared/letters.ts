const ACCENTS = /[\u0300-\u036f]/g

/** Returns a text in lower case and without accents, to compare it with what the user types. */
export const plainLetters = (text: string): string => text.normalize('NFD').replace(ACCENTS, '').toLowerCase()
