import { ipcMain } from 'electron'
import { commands, type CommandName } from '../../preload/bridge.ts'
import { commandChannel } from '../../preload/channels.ts'
import { checked, type Handler, type Handlers, type IsOurPage } from './checked.ts'
import type { Log } from '../log/log.ts'
import { createGate } from './gate.ts'

export type { Handlers } from './checked.ts'

/** The only place where the bridge's commands come in; each behind the checks of {@link checked}. */
export function registerCommands(handlers: Handlers, isOurPage: IsOurPage, log: Log): void {
  const gate = createGate(() => performance.now())
  for (const name of Object.keys(commands) as CommandName[]) {
    ipcMain.handle(
      commandChannel(name),
      checked(name, handlers[name] as Handler<CommandName>, { isOurPage, gate, log }),
    )
  }
}
