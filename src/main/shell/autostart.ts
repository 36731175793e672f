import type { App } from 'electron'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fail, ok, type Result } from '../../shared/result.ts'
import { desktopEntry, isEnabled, updateCommand } from './desktop-entry.ts'
import { isNodeDiskFull } from '../storage/files.ts'
import { runningAppImage } from '../updates/app-image.ts'
import { HIDDEN_SWITCH } from './start-arguments.ts'

/** Starts the app, hidden, when the user logs in. The state is read from the system, where the user can change it too. */
export interface Autostart {
  isOn(): boolean
  /** Errors: `storage`, `disk-full`; `autostart-refused` if the system did not accept the change. */
  set(on: boolean): Result<void>
  /** Updates the command, because the app may have moved since autostart was switched on. */
  refresh(): void
}

type LoginItems = Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>

export function createAutostart(
  app: LoginItems & Pick<App, 'isPackaged' | 'getAppPath' | 'getPath'>,
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): Autostart {
  const own = app.isPackaged ? [] : [app.getAppPath()]
  if (platform !== 'linux') return loginItemAutostart(app, platform, [...own, HIDDEN_SWITCH])
  // Electron has no login items on Linux (https://github.com/electron/electron/issues/15198).
  const program = app.getPath('exe')
  const command = [runningAppImage(program, env) ?? program, ...own, HIDDEN_SWITCH] as const
  return xdgAutostart(join(app.getPath('appData'), 'autostart', 'siteward.desktop'), command)
}

/** Autostart by a desktop entry (XDG Desktop Application Autostart). */
export function xdgAutostart(file: string, command: readonly [string, ...string[]]): Autostart {
  const entry = desktopEntry(command)
  const read = (): string => {
    try {
      return readFileSync(file, 'utf8')
    } catch {
      return ''
    }
  }
  const isOn = (): boolean => isEnabled(read())

  /** Null removes the entry. */
  function writeEntry(next: string | null): Result<void> {
    try {
      if (next === null) rmSync(file, { force: true })
      else {
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(`${file}.part`, next)
        renameSync(`${file}.part`, file)
      }
      return ok(undefined)
    } catch (error) {
      return fail(isNodeDiskFull(error) ? 'disk-full' : 'storage')
    }
  }

  return {
    isOn,
    set: (on) => writeEntry(on ? entry : null),
    refresh() {
      const was = read()
      const now = updateCommand(was, entry)
      if (isEnabled(was) && now !== was) writeEntry(now)
    },
  }
}

/** Autostart by a login item of macOS or Windows. Windows finds an item only by the arguments with which it was set. */
function loginItemAutostart(app: LoginItems, platform: NodeJS.Platform, args: string[]): Autostart {
  const isOn = (): boolean => {
    const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings({ args })
    // `openAtLogin` stays true for an item that the user has switched off in the Task Manager of Windows.
    return platform === 'win32' ? openAtLogin && executableWillLaunchAtLogin : openAtLogin
  }
  return {
    isOn,
    set(on) {
      app.setLoginItemSettings({ openAtLogin: on, args })
      // macOS may ask the user, or an administrator may forbid the item. Only reading it back tells.
      return isOn() === on ? ok(undefined) : fail('autostart-refused')
    },
    refresh: () => undefined,
  }
}
