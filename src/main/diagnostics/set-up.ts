import { setUpParts, type SetUpCheck } from '../../shared/diagnostics.ts'
import type { ErrorCode, Result } from '../../shared/result.ts'

export interface SetUpParts {
  /** Bytes that are free where the data is. Errors: `storage`. */
  freeBytes: () => Promise<Result<number>>
  /** Milliseconds since 1970: now, and the latest moment that is on disk; null: none is. */
  clock: () => { now: number; latest: number | null }
  /** Writes into the keychain and takes it out again. Errors: `keychain-*`. */
  keychain: () => Promise<Result<void>>
  /** Reads with the connection's key; null: there's no connection. Errors: those of the service client. */
  ask: () => Promise<Result<unknown> | null>
  /** The connection goes over TLS, or stays on this machine; null: there's none. */
  secure: () => boolean | null
  /** Whether the system shows the tray's icon; null: it doesn't tell. */
  tray: () => Promise<boolean | null>
}

const ENOUGH = 100 * 1024 * 1024
/** A clock that was put right by a little is none that is wrong. */
const TOLERATED = 5 * 60_000

/** Errors by which TLS has failed, and those that came from beyond it. All others say that nothing answered as it should. */
const ofTls: readonly ErrorCode[] = ['certificate', 'tls']
const ofKey: readonly ErrorCode[] = ['unauthenticated', 'forbidden', 'key-missing']

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
  const { now, latest } = parts.clock()
  const found: Record<(typeof setUpParts)[number], Found> = {
    disk: !free.ok ? bad(free.error.code) : free.value < ENOUGH ? bad('disk-full') : good,
    clock: latest === null ? unknown : now + TOLERATED < latest ? bad(null) : good,
    keychain: keychain.ok ? good : bad(keychain.error.code),
    ...ofService(asked, parts.secure()),
    tray: tray === null ? unknown : tray ? good : absent,
  }
  return setUpParts.map((part) => ({ part, ...found[part] }))
}

/** One answer tells of three: what failed, and that what stands before it didn't. */
function ofService(asked: Result<unknown> | null, secure: boolean | null): Record<'address' | 'tls' | 'key', Found> {
  const tls = secure === false ? bad(null) : good
  if (asked === null) return { address: unknown, tls: unknown, key: unknown }
  if (asked.ok) return { address: good, tls, key: good }
  const { code } = asked.error
  if (ofTls.includes(code)) return { address: good, tls: bad(code), key: unknown }
  if (ofKey.includes(code)) return { address: good, tls, key: bad(code) }
  return { address: bad(code), tls: unknown, key: unknown }
}
