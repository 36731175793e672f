/** Letters and digits that can't be confused, even over the telephone. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const [GROUPS, EACH] = [5, 4]

/** Returns a password of 20 random characters in five groups (99 bits). */
export function newPassword(): string {
  const group = (): string => Array.from({ length: EACH }, randomCharacter).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/** Bytes above the last multiple of the alphabet's length are drawn again, so that all characters are equally likely. */
function randomCharacter(): string {
  const max = 256 - (256 % ALPHABET.length)
  for (;;) {
    const [drawn = 0] = crypto.getRandomValues(new Uint8Array(1))
    if (drawn < max) return ALPHABET.charAt(drawn % ALPHABET.length)
  }
}
