import { ipcMain } from 'electron'
import { commands, type CommandName } from '../../preload/bridge.ts'
import { commandChannel } from '../../preload/channels.ts'
import { withChecks, type IsOurPage } from './checked.ts'
import type { Log } from '../log/log.ts'
import { createGate } from './gate.ts'
import type { Handler, Handlers } from './handlers.ts'
import { createProbeLimit, PROBING } from './probe-limit.ts'
import { fail } from '../../shared/result.ts'

/** Commands are registered nowhere else, so that each one passes {@link withChecks}. */
export function registerCommands(handlers: Handlers, isOurPage: IsOurPage, log: Log): void {
  const gate = createGate(() => performance.now())
  const probe = createProbeLimit(() => performance.now())
  /** Limits a command that sends requests. Errors: `rate-limited`. */
  const limited =
    (handler: Handler<CommandName>): Handler<CommandName> =>
    (request) => {
      const wait = probe()
      return wait === 0 ? handler(request) : fail('rate-limited', { retryAfter: Math.ceil(wait / 1000) })
    }
  for (const name of Object.keys(commands) as CommandName[]) {
    const handler = handlers[name] as Handler<CommandName>
    ipcMain.handle(
      commandChannel(name),
      withChecks(name, PROBING.includes(name) ? limited(handler) : handler, { isOurPage, gate, log }),
    )
  }
}
