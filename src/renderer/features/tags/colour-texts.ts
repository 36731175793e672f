import { m } from '../../../messages/index.ts'
import type { TagColour } from '../../../shared/tags.ts'

export const colourTexts: Record<TagColour, () => string> = {
  gray: m.colour_gray,
  red: m.colour_red,
  orange: m.colour_orange,
  yellow: m.colour_yellow,
  green: m.colour_green,
  teal: m.colour_teal,
  blue: m.colour_blue,
  purple: m.colour_purple,
}
