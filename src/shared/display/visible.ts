/**
 * Characters that are invisible or that reorder the text around them: controls, formats (directional and zero-width ones,
 * tags), line and paragraph separators, lone surrogates, and letters without a shape. An emoji keeps its variation selector.
 */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic})\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

const NEWLINE = /\r\n?|\n/g

const hiddenCharacterCode = (hidden: string): string =>
  `⟨U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`

/**
 * Makes hidden characters in a text of the service or of a file visible, so that different domains look different and a name
 * can't reverse the sentence around it.
 */
export const revealHidden = (text: string): string => text.replace(NEWLINE, '⏎').replace(HIDDEN, hiddenCharacterCode)

/** Matches a letter of a script that is written from right to left. */
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const [FIRST_STRONG, POP] = ['\u2068', '\u2069']

/**
 * Does the same as {@link revealHidden} for the middle of a sentence or an attribute, where right-to-left letters would also
 * reorder the text around them. Markup uses ui/ExternalText.svelte instead.
 */
export function isolateText(text: string): string {
  const shown = revealHidden(text)
  return RIGHT_TO_LEFT.test(shown) ? `${FIRST_STRONG}${shown}${POP}` : shown
}
