/**
 * Characters that are there without being seen, or that turn around what stands beside them: controls, formats (the
 * directional ones, zero-width ones, tags), line and paragraph separators, halves of surrogate pairs, and letters that
 * draw nothing. An emoji keeps the selector that makes it one.
 */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic})\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

const NEWLINE = /\r\n?|\n/g

const escape = (hidden: string): string =>
  `⟨U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`

/**
 * A text that isn't ours (the service's, a file's) as a person may trust to have seen it: nothing in it is hidden. Two
 * domains that differ look different; a name can't reverse the sentence that it stands in.
 */
export const visible = (text: string): string => text.replace(NEWLINE, '⏎').replace(HIDDEN, escape)

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const [FIRST_STRONG, POP] = ['\u2068', '\u2069']

/**
 * The same for the middle of a sentence or an attribute, where no element can keep its direction to itself: a text with
 * letters written from right to left leaves what is around it where it was. In markup, ui/Foreign.svelte does that.
 */
export function isolated(text: string): string {
  const shown = visible(text)
  return RIGHT_TO_LEFT.test(shown) ? `${FIRST_STRONG}${shown}${POP}` : shown
}
