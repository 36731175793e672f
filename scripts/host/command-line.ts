import type { Switches } from './chromium/switches.ts'

export interface CommandLine {
  /** Folder or file of the app. */
  appPath: string
  /** Modules to load before the app (`-r`). */
  required: string[]
  /** `--name=value` and `--name`, wherever they are. */
  switches: Switches
}

const TAKES_NEXT = new Set(['-r', '--require'])

/** Electron's: `electron [switches] <app> [arguments of the app]`. The app is the first that is no switch. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const switches: Switches = new Map()
  const required: string[] = []
  let appPath: string | undefined
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const [, name, value = ''] = /^--([^=]+)=?(.*)$/s.exec(arg) ?? []
    if (appPath === undefined && TAKES_NEXT.has(arg)) required.push(args[++at] ?? '')
    else if (name !== undefined) switches.set(name.toLowerCase(), value)
    else if (appPath === undefined && !arg.startsWith('-')) appPath = arg
  }
  if (appPath === undefined) throw new Error('usage: electron [switches] <folder or main file of the app> [arguments]')
  return { appPath, required, switches }
}
