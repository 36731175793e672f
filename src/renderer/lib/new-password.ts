/** Without those that look like one another; it may be read out over the telephone. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const [GROUPS, EACH] = [5, 4]

/** A password of twenty characters in five groups, each character as likely as any other: 99 bits. */
export function newPassword(): string {
  const group = (): string => Array.from({ length: EACH }, character).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/** What lies over the last whole multiple is drawn anew: else the first letters would come more often. */
function character(): string {
  const most = 256 - (256 % ALPHABET.length)
  for (;;) {
    const [drawn = 0] = crypto.getRandomValues(new Uint8Array(1))
    if (drawn < most) return ALPHABET.charAt(drawn % ALPHABET.length)
  }
}
