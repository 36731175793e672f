import type { WaitReason } from '../../shared/edit.ts'
import type { AppState } from '../../shared/state.ts'
import type { Log } from './log.ts'

/** `parked`: returns the reasons of the parked edits. */
export function logStateChanges(log: Log, parked: () => WaitReason[]): (state: AppState) => void {
  let last: AppState | null = null

  return (now) => {
    const before = last
    last = now
    const changed = (read: (state: AppState) => unknown): boolean => before === null || read(before) !== read(now)

    if (changed(({ connection }) => connection?.id)) log('connection', { state: now.connection ? 'open' : 'none' })
    if (now.connection && changed(({ connection }) => connection?.key)) log('key', { state: now.connection.key })
    if (changed(({ keychain }) => keychain)) log('keychain', { state: now.keychain })
    if ((now.paused || before) && changed(({ paused }) => paused)) log('paused', { on: now.paused })
    if (now.reach.state === 'online' && changed(({ reach }) => reach.state)) log('online', {})
    if (now.reach.state === 'offline' && changed(offlineCode)) log('offline', errorFields(now.reach.error))
    // Logged at the start, when the first edit is queued, and when none is left.
    if (changed(({ waiting }) => waiting > 0)) log('waiting', { edits: now.waiting })
    if ((now.parked > 0 || before) && changed((state) => state.parked)) {
      log('parked', { edits: now.parked, reasons: [...new Set(parked())] })
    }
    const { error } = now.refresh
    if (error && changed(({ refresh }) => refresh.error?.code)) log('refreshFailed', errorFields(error))
    if (now.salvaged && changed(({ salvaged }) => salvaged?.at)) {
      const { websites, edits, backupAt } = now.salvaged
      log('salvaged', { websites, edits, backup: backupAt !== null })
    }
    if (now.readOnly && changed(({ readOnly }) => readOnly)) log('readOnly', {})
    if (now.problem && changed(({ problem }) => problem?.code)) log('problem', { code: now.problem.code })
  }
}

const offlineCode = ({ reach }: AppState): string | null => (reach.state === 'offline' ? reach.error.code : null)

const errorFields = ({
  code,
  status,
}: {
  code: NonNullable<AppState['problem']>['code']
  status?: number | undefined
}) => ({
  code,
  ...(status !== undefined && { status }),
})
