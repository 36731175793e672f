import { setUpParts, type SetUpCheck } from '../../shared/diagnostics.ts'
import type { ErrorCode, Result } from '../../shared/result.ts'

export interface Asked {
  /** Errors: those of the service client; `keychain-locked`: the service is there, the keychain keeps the key back. */
  answer: Result<unknown>
  /** What the service's own clock said with it, in milliseconds since 1970; null: nothing. */
  date: number | null
}

export interface SetUpParts {
  /** Bytes that are free where the data is, once it has taken a file. Errors: `disk-full`, `storage`. */
  freeBytes: () => Promise<Result<number>>
  /** Milliseconds since 1970: now, and the latest moment that is on disk; null: none is. */
  clock: () => { now: number; latest: number | null }
  /** Writes into the keychain and takes it out again. Errors: `keychain-*`. */
  keychain: () => Promise<Result<void>>
  /** Asks the service, with the connection's key where there is one; null: there's no connection. */
  ask: () => Promise<Asked | null>
  /** The connection goes over TLS, or stays on this machine; null: there's none. */
  secure: () => boolean | null
  /** Whether the system shows the tray's icon; null: it doesn't tell. */
  tray: () => Promise<boolean | null>
  /** True if the system takes notifications. */
  notifications: () => boolean
}

const ENOUGH = 100 * 1024 * 1024
/** A clock that is off by a little, or was put right by it, is none that is wrong. */
const TOLERATED = 5 * 60_000

/** Errors by which TLS has failed, those of the key, and those that come before it's looked at. */
const ofTls: readonly ErrorCode[] = ['certificate', 'tls']
const ofKey: readonly ErrorCode[] = ['unauthenticated', 'forbidden', 'key-missing']
const beforeKey: readonly ErrorCode[] = ['rate-limited', 'keychain-locked']

type Found = Omit<SetUpCheck, 'part'>
const good: Found = { found: 'good', code: null }
const unknown: Found = { found: 'unknown', code: null }
const absent: Found = { found: 'absent', code: null }
const bad = (code: ErrorCode | null): Found => ({ found: 'bad', code })

/** Looks at all that the app stands on; what can't be told is said to be so. */
export async function checkSetUp(parts: SetUpParts): Promise<SetUpCheck[]> {
  const [free, keychain, asked, tray] = await Promise.all([
    parts.freeBytes(),
    parts.keychain(),
    parts.ask(),
    parts.tray(),
  ])
  const found: Record<(typeof setUpParts)[number], Found> = {
    disk: !free.ok ? bad(free.error.code) : free.value < ENOUGH ? bad('disk-full') : good,
    clock: ofClock(parts.clock(), asked?.date ?? null),
    keychain: keychain.ok ? good : bad(keychain.error.code),
    ...ofService(asked?.answer ?? null, parts.secure()),
    tray: tray === null ? unknown : tray ? good : absent,
    notifications: parts.notifications() ? good : bad(null),
  }
  return setUpParts.map((part) => ({ part, ...found[part] }))
}

/** Against the service's, and against our own last read where that is later: it can't have been tomorrow. */
function ofClock({ now, latest }: ReturnType<SetUpParts['clock']>, date: number | null): Found {
  if (latest === null && date === null) return unknown
  const wentBack = latest !== null && now + TOLERATED < latest
  const isOff = date !== null && Math.abs(now - date) > TOLERATED
  return wentBack || isOff ? bad(null) : good
}

/** One answer tells of three: what failed, and that what stands before it didn't. */
function ofService(asked: Result<unknown> | null, secure: boolean | null): Record<'address' | 'tls' | 'key', Found> {
  const tls = secure === false ? bad(null) : good
  if (asked === null) return { address: unknown, tls: unknown, key: unknown }
  if (asked.ok) return { address: good, tls, key: good }
  const { code } = asked.error
  if (ofTls.includes(code)) return { address: good, tls: bad(code), key: unknown }
  if (ofKey.includes(code)) return { address: good, tls, key: bad(code) }
  if (beforeKey.includes(code)) return { address: good, tls, key: { found: 'unknown', code } }
  if (code === 'unavailable') return { address: { found: 'unknown', code }, tls, key: unknown }
  return { address: bad(code), tls: unknown, key: unknown }
}
