import { connectionSteps, type ConnectionStep, type StepResult } from '../../shared/network.ts'
import type { NetworkRoute } from '../../shared/state.ts'
import type { ErrorCode, Result } from '../../shared/result.ts'

/** The properties that decide which steps a request takes. */
export interface TestedConnection {
  /** Normalized base URL. */
  address: string
  route: NetworkRoute
  /** True if there is a client certificate. */
  client: boolean
}

/** The step at which an error occurs. {@link failedStepOf} handles all other errors. */
const stepByError: Partial<Record<ErrorCode, ConnectionStep>> = {
  'name-lookup': 'lookup',
  'proxy-unreachable': 'proxy',
  'proxy-refused': 'proxy',
  'proxy-failed': 'proxy',
  'proxy-unsupported': 'proxy',
  'proxy-login': 'proxyLogin',
  unreachable: 'connect',
  certificate: 'tls',
  'certificate-not-yet-valid': 'tls',
  tls: 'tls',
  'client-certificate': 'clientCertificate',
  unauthenticated: 'key',
  forbidden: 'key',
  'key-missing': 'key',
}

/** Errors after which it is unknown whether the service accepts the key. */
const keyUnknownCodes: readonly ErrorCode[] = ['rate-limited', 'keychain-locked']

/**
 * Returns the step of connecting that an error belongs to. Null if all steps but `key` are good, and it is unknown whether that
 * one is.
 */
export const failedStepOf = (code: ErrorCode): ConnectionStep | null =>
  keyUnknownCodes.includes(code) ? null : (stepByError[code] ?? 'service')

/** Steps before the failed one are good or were not needed, and steps after it are unknown. */
export function stepResultsOf(answer: Result<unknown>, connecting: TestedConnection): StepResult[] {
  const code = answer.ok ? null : answer.error.code
  const failed = code === null ? null : failedStepOf(code)
  const last = failed === null ? connectionSteps.length : connectionSteps.indexOf(failed)
  return connectionSteps.map((step, at): StepResult => {
    if (step === failed) return { step, found: 'bad', code }
    if (at > last) return { step, found: 'unknown', code: null }
    if (step === 'key' && code !== null) return { step, found: 'unknown', code }
    return { step, found: isNeeded(step, connecting) ? 'good' : 'unneeded', code: null }
  })
}

/** True if a connection with this address, route and certificate has such a step. */
function isNeeded(step: ConnectionStep, { address, route, client }: TestedConnection): boolean {
  const { protocol, hostname } = new URL(address)
  switch (step) {
    case 'lookup':
      // A proxy looks the name up itself.
      return route.kind === 'direct' && !/^[\d.]+$|^\[/.test(hostname)
    case 'proxy':
      return route.kind !== 'direct'
    case 'proxyLogin':
      return route.kind === 'proxy' && route.login !== 'none'
    case 'tls':
      return protocol === 'https:'
    case 'clientCertificate':
      return protocol === 'https:' && client
    case 'connect':
    case 'service':
    case 'key':
      return true
  }
}
