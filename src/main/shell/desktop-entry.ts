import { m } from '../../messages/index.ts'

/**
 * Returns the desktop entry that starts the app when the user signs in (see the Desktop Entry Specification). `command`: the
 * program and its arguments, which may contain any character.
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

/** False if the user has switched the entry off in the desktop's settings. */
export const isEnabled = (entry: string): boolean =>
  /^\[Desktop Entry\]$/m.test(entry) &&
  !/^Hidden\s*=\s*true\s*$/m.test(entry) &&
  !/^X-GNOME-Autostart-enabled\s*=\s*false\s*$/m.test(entry)

/** Returns the line that sets a key, or an empty text. */
const lineOf = (key: string, entry: string): string => new RegExp(`^${key}=.*$`, 'm').exec(entry)?.[0] ?? ''
/** Returns the quoted program, or an empty text if it is not quoted. */
const programOf = (entry: string): string => /^Exec=("(?:[^"\\]|\\.)*")/m.exec(entry)?.[1] ?? ''

/** Updates the command to that of `other`, unless it starts the same program. The rest, such as a delay, may be the user's. */
export const updateCommand = (entry: string, other: string): string =>
  lineOf('Exec', entry).includes(programOf(other))
    ? entry
    : ['TryExec', 'Exec'].reduce(
        (now, key) => now.replace(new RegExp(`^${key}=.*$`, 'm'), () => lineOf(key, other)),
        entry,
      )

/** In `Exec`, a percent sign begins a field code. */
const quotedArgument = (text: string): string => `"${text.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`

/** The values of a desktop entry may have backslashes and line breaks only in escaped form. */
const escapedValue = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
