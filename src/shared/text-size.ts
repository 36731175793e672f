/** In percent of the system's text size. */
export const TEXT_SIZES = [80, 90, 100, 110, 125, 150, 175, 200] as const
export type TextSize = (typeof TEXT_SIZES)[number]

/** Returns the next larger or smaller size, or the same size if there is none. */
export const nextTextSize = (size: TextSize, step: 1 | -1): TextSize =>
  TEXT_SIZES[TEXT_SIZES.indexOf(size) + step] ?? size
