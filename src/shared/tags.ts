export const tagColours = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple'] as const
export type TagColour = (typeof tagColours)[number]

/** A tag of this computer. Names are compared without case. */
export interface Tag {
  name: string
  colour: TagColour
}

export const MOST_TAGS = 100
/** Maximum length of a tag's name, and of a note. */
export const MOST_TAG_NAME = 40
export const MOST_NOTE = 2000

export const isSameTag = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
