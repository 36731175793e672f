import { m } from '../../messages/index.ts'

/**
 * The file by which a Linux session starts a program, by the Desktop Entry Specification. `command`: the program and its
 * arguments, whatever characters are in them.
 */
export const desktopEntry = (command: readonly [string, ...string[]]): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.5',
    'Name=Siteward',
    `Comment=${m.autostart_comment()}`,
    // Where the app was removed the session passes the file over.
    `TryExec=${value(command[0])}`,
    `Exec=${value(command.map(argument).join(' '))}`,
    'Icon=siteward',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')

/** Whether the session heeds such a file: the person may have switched it off in the desktop's own settings. */
export const isHeeded = (entry: string): boolean =>
  /^\[Desktop Entry\]$/m.test(entry) &&
  !/^Hidden\s*=\s*true\s*$/m.test(entry) &&
  !/^X-GNOME-Autostart-enabled\s*=\s*false\s*$/m.test(entry)

const lineOf = (key: string, entry: string): string => new RegExp(`^${key}=.*$`, 'm').exec(entry)?.[0] ?? ''
const programOf = (entry: string): string => /^Exec=("(?:[^"\\]|\\.)*")/m.exec(entry)?.[1] ?? ''

/**
 * An entry with the command of another, where it doesn't start that one's program in some way; all else in it, such as a delay,
 * is the person's.
 */
export const withCommandOf = (entry: string, other: string): string =>
  lineOf('Exec', entry).includes(programOf(other))
    ? entry
    : ['TryExec', 'Exec'].reduce(
        (now, key) => now.replace(new RegExp(`^${key}=.*$`, 'm'), () => lineOf(key, other)),
        entry,
      )

/** Quoted as for a shell; a percent sign begins a field code. */
const argument = (text: string): string => `"${text.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`

/** On top of that the rule for every value of such a file: a backslash is two, a line can't be broken. */
const value = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
