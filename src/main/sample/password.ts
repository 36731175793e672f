import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'

const hashed = (password: string, salt: string): Buffer => scryptSync(password, salt, 32)

/** Returns `salt:hash`, because even the sample service stores no plain password. */
export function hashPassword(password: string): string {
  const salt = randomBytes(16).toString('hex')
  return `${salt}:${hashed(password, salt).toString('hex')}`
}

/** `stored`: the result of {@link hashPassword}, or null if no password is set. */
export function passwordMatches(password: string, stored: string | null): boolean {
  const [salt, hash] = stored?.split(':') ?? []
  if (salt === undefined || hash === undefined) return false
  return timingSafeEqual(hashed(password, salt), Buffer.from(hash, 'hex'))
}
