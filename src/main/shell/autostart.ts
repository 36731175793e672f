import type { App } from 'electron'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fail, ok, type Result } from '../../shared/result.ts'
import { desktopEntry, isHeeded, withCommandOf } from './desktop-entry.ts'
import { isDiskFull } from '../storage/files.ts'
import { ownImage } from '../updates/app-image.ts'
import { HIDDEN } from './start-arguments.ts'

/** Whether the session starts the app, hidden. What the system says counts: it may be changed there, too. */
export interface Autostart {
  isOn(): boolean
  /** Errors: `storage`, `disk-full`; `autostart-refused`: the system keeps to its own. */
  set(on: boolean): Result<void>
  /** The app may have moved since it was switched on. */
  refresh(): void
}

type LoginItems = Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>

export function createAutostart(
  app: LoginItems & Pick<App, 'isPackaged' | 'getAppPath' | 'getPath'>,
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): Autostart {
  const own = app.isPackaged ? [] : [app.getAppPath()]
  if (platform !== 'linux') return loginItem(app, platform, [...own, HIDDEN])
  // https://github.com/electron/electron/issues/15198 has Electron's own login items, which Linux lacks.
  const program = app.getPath('exe')
  const command = [ownImage(program, env) ?? program, ...own, HIDDEN] as const
  return xdgAutostart(join(app.getPath('appData'), 'autostart', 'siteward.desktop'), command)
}

/** A file in the session's folder, in XDG's Desktop Application Autostart form. */
export function xdgAutostart(file: string, command: readonly [string, ...string[]]): Autostart {
  const entry = desktopEntry(command)
  const read = (): string => {
    try {
      return readFileSync(file, 'utf8')
    } catch {
      return ''
    }
  }
  const isOn = (): boolean => isHeeded(read())

  /** Null: there is none. */
  function become(next: string | null): Result<void> {
    try {
      if (next === null) rmSync(file, { force: true })
      else {
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(`${file}.part`, next)
        renameSync(`${file}.part`, file)
      }
      return ok(undefined)
    } catch (error) {
      return fail(isDiskFull(error) ? 'disk-full' : 'storage')
    }
  }

  return {
    isOn,
    set: (on) => become(on ? entry : null),
    refresh() {
      const was = read()
      const now = withCommandOf(was, entry)
      if (isHeeded(was) && now !== was) become(now)
    },
  }
}

/** macOS' and Windows' own. Windows finds an item only by the arguments that it was set with. */
function loginItem(app: LoginItems, platform: NodeJS.Platform, args: string[]): Autostart {
  const isOn = (): boolean => {
    const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings({ args })
    // Switched off in the Task Manager it's there all the same.
    return platform === 'win32' ? openAtLogin && executableWillLaunchAtLogin : openAtLogin
  }
  return {
    isOn,
    set(on) {
      app.setLoginItemSettings({ openAtLogin: on, args })
      // macOS asks the person first, and an administrator may have forbidden it: neither is told but by reading it back.
      return isOn() === on ? ok(undefined) : fail('autostart-refused')
    },
    refresh: () => undefined,
  }
}
