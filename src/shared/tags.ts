export const tagColors = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple'] as const
export type TagColor = (typeof tagColors)[number]

/** Maximum number of tags of an account. */
export const MAX_TAGS = 100
/** Maximum length of a tag's name. */
export const MAX_TAG_NAME = 40
/** Maximum length of a note that the user types. */
export const MAX_NOTE = 2000
/** Maximum length of a stored note, which may consist of the notes of several domains. */
export const MAX_STORED_NOTE = 10 * MAX_NOTE

/** True if two names mean the same tag: case doesn't matter. */
export const isSameTag = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Ignores the order. */
export const hasSameTags = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name) => b.some((one) => isSameTag(name, one)))

/** Writes tags as the text of one field. */
export const serializeTags = (tags: readonly string[]): string => tags.join(', ')

/** Returns the tags in the cell of a table, each once. */
export function parseTags(cell: string): string[] {
  const names = cell.split(/[,;\n]/).map((name) => name.trim().normalize())
  return names.filter((name, at) => name !== '' && names.findIndex((one) => isSameTag(one, name)) === at)
}
