import type { Seeded } from '../machine/random.ts'

export type Loss = 'timeout' | 'reset'

export type Fault =
  /** The connection is refused, and nothing is sent. */
  | { kind: 'refused' }
  /** The request is lost before it reaches the service. */
  | { kind: 'lostRequest'; as: Loss }
  /** The service applies the request, and the answer is lost. */
  | { kind: 'lostAnswer'; as: Loss }
  /** A late write: the client gives up, and the service applies the request `after` milliseconds later. */
  | { kind: 'late'; after: number; as: Loss }
  /** An error answers the request, which the service has carried out if `applied` is true. */
  | { kind: 'error'; status: number; applied: boolean; html: boolean; retryAfter?: number }
  /** A page of the network replaces the service's answer. The service has carried the request out if `applied` is true. */
  | { kind: 'portal'; applied: boolean; redirect: boolean }
  /** The body of the answer is incomplete. */
  | { kind: 'cut' }
  | { kind: 'slow'; ms: number }
  /** A read shows the data as it was `lag` milliseconds ago. */
  | { kind: 'stale'; lag: number }
  /** The service rejects the request without reading it. */
  | { kind: 'turnedAway'; status: number; html: boolean }

export type Weather = 'fair' | 'offline' | 'portal' | 'keyRefused' | 'forbidden' | 'maintenance' | 'tooMany'

export type FaultKind = Fault['kind']

/** Maximum delay of a late write, in milliseconds: less than the time for which the app looks for one. */
const LATEST = 8 * 60_000

/** Draws a fault by the weights. A read cannot be late, nor a write stale: its answer is lost instead. */
export function drawFault(
  random: Seeded,
  isWrite: boolean,
  weights: Readonly<Partial<Record<FaultKind, number>>>,
): Fault {
  const as = random.pick<Loss>(['timeout', 'reset'])
  const applied = isWrite && random.chance(0.5)
  switch (random.weighted(weights)) {
    case 'refused':
      return { kind: 'refused' }
    case 'lostRequest':
      return { kind: 'lostRequest', as }
    case 'lostAnswer':
      return { kind: 'lostAnswer', as }
    case 'late':
      return isWrite ? { kind: 'late', after: random.between(100, LATEST), as } : { kind: 'lostAnswer', as }
    case 'error': {
      const error = {
        kind: 'error',
        status: random.pick([500, 502, 503, 504]),
        applied,
        html: random.chance(0.6),
      } as const
      return random.chance(0.2) ? { ...error, retryAfter: 1 + random.below(90) } : error
    }
    case 'portal':
      return { kind: 'portal', applied, redirect: random.chance(0.5) }
    case 'cut':
      return { kind: 'cut' }
    case 'slow':
      return { kind: 'slow', ms: random.between(1_000, 29_000) }
    case 'stale':
      return isWrite ? { kind: 'lostAnswer', as } : { kind: 'stale', lag: random.between(100, 5_000) }
    case 'turnedAway':
      return { kind: 'turnedAway', status: random.pick([408, 413, 429, 429, 404, 403]), html: random.chance(0.3) }
  }
}

export const badDay: Record<FaultKind, number> = {
  refused: 4,
  lostRequest: 4,
  lostAnswer: 6,
  late: 4,
  error: 5,
  portal: 2,
  cut: 2,
  slow: 3,
  stale: 2,
  turnedAway: 1,
}
