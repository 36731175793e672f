import type { AppState } from '../../shared/state.ts'
import type { LogLine } from '../log/log.ts'

/** The facts that a report for support contains. */
export interface ReportContent {
  version: string
  runtime: string
  os: string
  state: AppState
  /** True if the system shows tray icons; null if unknown. */
  tray: boolean | null
  recent: readonly LogLine[]
}

/** The report never contains a domain, a name or a secret, and the service's address only if `address` is true. */
export function reportText({ version, runtime, os, state, tray, recent }: ReportContent, address: boolean): string {
  const { connection, reach, refresh } = state
  const lines = [
    `Siteward ${version}`,
    `Runtime: ${runtime}`,
    `System: ${os}`,
    `Account: ${connection === null ? 'none' : connection.sample ? 'sample data' : 'on a service'}`,
    ...(address && connection !== null ? [`Address: ${connection.address}`] : []),
    `Key: ${connection?.key ?? 'none'}`,
    `Keychain: ${state.keychain}`,
    `Tray: ${tray === null ? 'unknown' : tray ? 'available' : 'none'}`,
    `Service: ${reach.state === 'offline' ? `offline (${reach.error.code})` : reach.state}`,
    `Websites: ${String(state.websites)}`,
    `Changes: ${String(state.waiting)} pending, ${String(state.parked)} need attention${state.paused ? ', paused' : ''}`,
    `Last refresh: ${refresh.seenAt === null ? 'never' : new Date(refresh.seenAt).toISOString()}${refresh.error ? ` (${refresh.error.code})` : ''}`,
    `Data: ${state.readOnly ? 'from a newer version' : (state.problem?.code ?? recoveryText(state.salvaged))}`,
    '',
    'Latest warnings and errors:',
    ...(recent.length === 0
      ? ['none']
      : recent.map(({ at, level, text }) => `${new Date(at).toISOString()} ${level} ${text}`)),
  ]
  return `${lines.join('\n')}\n`
}

function recoveryText(salvaged: AppState['salvaged']): string {
  if (salvaged === null) return 'undamaged'
  if (salvaged.why === 'unreleased') return 'of an early test version, not used'
  return salvaged.backupAt === null ? 'damaged, without a backup' : 'restored from a backup'
}
