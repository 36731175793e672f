/** Sizes of the text that can be chosen, in percent of the size that the system asks for. */
export const TEXT_SIZES = [80, 90, 100, 110, 125, 150, 175, 200] as const
export type TextSize = (typeof TEXT_SIZES)[number]

/** The next larger or smaller one; the last is followed by none. */
export const textSizeBeside = (size: TextSize, step: 1 | -1): TextSize =>
  TEXT_SIZES[TEXT_SIZES.indexOf(size) + step] ?? size
