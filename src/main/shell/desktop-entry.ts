import { m } from '../../messages/index.ts'

/**
 * Returns a desktop entry (Desktop Entry Specification) that starts a program. `command` is the program and its arguments,
 * which may hold any character.
 */
export const desktopEntry = (command: readonly [string, ...string[]]): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.5',
    'Name=Siteward',
    `Comment=${m.autostart_comment()}`,
    // With `TryExec`, the session ignores the entry after the app was removed.
    `TryExec=${escapedValue(command[0])}`,
    `Exec=${escapedValue(command.map(quotedArgument).join(' '))}`,
    'Icon=siteward',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')

/** True if the session starts this entry: the user may have switched it off in the desktop's settings. */
export const isEnabled = (entry: string): boolean =>
  /^\[Desktop Entry\]$/m.test(entry) &&
  !/^Hidden\s*=\s*true\s*$/m.test(entry) &&
  !/^X-GNOME-Autostart-enabled\s*=\s*false\s*$/m.test(entry)

/** Returns the line of an entry that sets a key; empty if there is none. */
const lineOf = (key: string, entry: string): string => new RegExp(`^${key}=.*$`, 'm').exec(entry)?.[0] ?? ''
/** Returns the program that an entry starts, in its quotes; empty if it is not quoted. */
const programOf = (entry: string): string => /^Exec=("(?:[^"\\]|\\.)*")/m.exec(entry)?.[1] ?? ''

/**
 * Returns the entry with the command of `other`, unless it already starts that program. Everything else in it, such as a
 * delay, may be the user's.
 */
export const updateCommand = (entry: string, other: string): string =>
  lineOf('Exec', entry).includes(programOf(other))
    ? entry
    : ['TryExec', 'Exec'].reduce(
        (now, key) => now.replace(new RegExp(`^${key}=.*$`, 'm'), () => lineOf(key, other)),
        entry,
      )

/** Quotes an argument of `Exec`, where a percent sign begins a field code. */
const quotedArgument = (text: string): string => `"${text.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`

/** Escapes a value: every value of the file may hold a backslash or a line break only in escaped form. */
const escapedValue = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
