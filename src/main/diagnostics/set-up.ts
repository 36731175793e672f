import { setUpParts, type SetUpCheck } from '../../shared/diagnostics.ts'
import type { ErrorCode, Result } from '../../shared/result.ts'
import { failedStepOf } from '../network/steps.ts'

/** The service's response to a read that checks the address and the key. */
export interface ServiceAnswer {
  /** Errors: those of the service client; `key-missing` or `keychain-locked` if the service responds but no key can be used. */
  answer: Result<unknown>
  /** The service's clock in milliseconds since 1970, or null if unknown. */
  date: number | null
}

/** The probes of the set-up check. Each examines one part of the system or the service. */
export interface SetUpProbes {
  /** Returns the free bytes of the data folder. Errors: `disk-full`, `storage`. */
  probeDisk: () => Promise<Result<number>>
  /** Milliseconds since 1970. `latest`: the latest time that is stored, or null. */
  clock: () => { now: number; latest: number | null }
  /** Writes and deletes a keychain entry. Errors: `keychain-*`. */
  keychain: () => Promise<Result<void>>
  /** Reads once with the active connection's key. Null without a connection. `mayLoadKey`: may load the key and prompt the user. */
  ask: (mayLoadKey: boolean) => Promise<ServiceAnswer | null>
  /** True if the active connection uses TLS or stays on this computer; null if there is none. */
  secure: () => boolean | null
  /** True if the system shows tray icons; null if unknown. */
  tray: () => Promise<boolean | null>
  notifications: () => boolean
}

/** Minimum free space for a good disk, in bytes. The message `check_disk_bad` names the same number. */
const MIN_FREE_BYTES = 100 * 1024 * 1024
/** Maximum error of this computer's clock in milliseconds. Smaller errors cause no problems. */
const MAX_CLOCK_ERROR = 5 * 60_000

type CheckFinding = Omit<SetUpCheck, 'part'>
const good: CheckFinding = { found: 'good', code: null }
const unknown: CheckFinding = { found: 'unknown', code: null }
const absent: CheckFinding = { found: 'absent', code: null }
const bad = (code: ErrorCode | null): CheckFinding => ({ found: 'bad', code })

/** Runs all checks. A check that can't be made is `unknown`. */
export async function checkSetUp(probes: SetUpProbes): Promise<SetUpCheck[]> {
  const triedKeychain = probes.keychain()
  const [free, keychain, serviceAnswer, tray] = await Promise.all([
    probes.probeDisk(),
    triedKeychain,
    // Waits for the keychain's check, in which the user may unlock it. A user who has dismissed its prompt is not asked again.
    triedKeychain.then((tried) => probes.ask(tried.ok)),
    probes.tray(),
  ])
  const found: Record<(typeof setUpParts)[number], CheckFinding> = {
    disk: !free.ok ? bad(free.error.code) : free.value < MIN_FREE_BYTES ? bad(null) : good,
    clock: checkClock(probes.clock(), serviceAnswer?.date ?? null),
    keychain: keychain.ok ? good : bad(keychain.error.code),
    ...checkService(serviceAnswer?.answer ?? null, probes.secure()),
    tray: tray === null ? unknown : tray ? good : absent,
    notifications: probes.notifications() ? good : bad(null),
  }
  return setUpParts.map((part) => ({ part, ...found[part] }))
}

/** The time of the last read can't be in the future. */
function checkClock({ now, latest }: ReturnType<SetUpProbes['clock']>, date: number | null): CheckFinding {
  if (latest === null && date === null) return unknown
  const wentBack = latest !== null && now + MAX_CLOCK_ERROR < latest
  const isOff = date !== null && Math.abs(now - date) > MAX_CLOCK_ERROR
  return wentBack || isOff ? bad(null) : good
}

/** Derives the results from one response: those before a failed step are good, and those after it are unknown. */
function checkService(
  answer: Result<unknown> | null,
  secure: boolean | null,
): Record<'address' | 'tls' | 'key', CheckFinding> {
  const tls = secure === false ? bad(null) : good
  if (answer === null) return { address: unknown, tls: unknown, key: unknown }
  if (answer.ok) return { address: good, tls, key: good }
  const { code } = answer.error
  const step = failedStepOf(code)
  if (step === 'tls') return { address: good, tls: bad(code), key: unknown }
  if (step === 'key') return { address: good, tls, key: bad(code) }
  if (step === null) return { address: good, tls, key: { found: 'unknown', code } }
  if (code === 'unavailable') return { address: { found: 'unknown', code }, tls, key: unknown }
  return { address: bad(code), tls: unknown, key: unknown }
}
