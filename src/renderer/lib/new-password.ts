/** Letters and digits that are easy to tell apart, also over the telephone. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
/** Number of groups in a password, and of characters in each group. */
const [GROUPS, EACH] = [5, 4]

/** Returns a password of twenty characters in five groups; each character is equally likely: 99 bits. */
export function newPassword(): string {
  const group = (): string => Array.from({ length: EACH }, randomCharacter).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/**
 * Returns a random character. Bytes above the last multiple of the alphabet's length are drawn again, so that all are equally
 * likely.
 */
function randomCharacter(): string {
  const max = 256 - (256 % ALPHABET.length)
  for (;;) {
    const [drawn = 0] = crypto.getRandomValues(new Uint8Array(1))
    if (drawn < max) return ALPHABET.charAt(drawn % ALPHABET.length)
  }
}
