import type { SetUpCheck } from '../shared/diagnostics.ts'
import { errorWords } from './errors.ts'

type Part = SetUpCheck['part']

export const partNames: Record<Part, string> = {
  disk: 'Disk',
  clock: 'Date and time',
  keychain: 'Keychain',
  address: 'Address',
  tls: 'Secure connection',
  key: 'API key',
  tray: 'Tray',
  notifications: 'Notifications',
}

const fine: Record<Part, string> = {
  disk: 'There is room for the data.',
  clock: 'They’re as the service has them, or no earlier than when the list was last read.',
  keychain: 'It takes and gives back what is put into it.',
  address: 'The service answers there.',
  tls: 'Nobody on the way can read what is sent.',
  key: 'The service takes it.',
  tray: 'The system shows icons there.',
  notifications: 'The system takes them.',
}

const untold: Record<Part, string> = {
  disk: 'Nothing tells how much room there is.',
  clock: 'Nothing has been read from the service yet, so there is nothing to compare them with.',
  keychain: 'It hasn’t been asked.',
  address: 'There is no connection yet.',
  tls: 'It comes into question once the service answers.',
  key: 'It comes into question once the service answers.',
  tray: 'The system doesn’t tell. If there is no icon, turn on “Keep the window in the taskbar”.',
  notifications: 'The system doesn’t tell.',
}

const wrong: Partial<Record<Part, string>> = {
  clock:
    'They aren’t those of the service, or are earlier than when the list was last read. Set this computer’s date and time.',
  tls: 'The address begins with http://: everybody on the way can read the key. Use https:// where the service has it.',
  notifications:
    'They can’t be shown, because the system’s library libnotify is missing. Install it (libnotify4 on Debian and Ubuntu), then restart Siteward.',
}

/** Where the app does without it. */
const done: Partial<Record<Part, string>> = {
  tray: 'No panel here shows Siteward’s icon. Nothing needs doing: a window that you close stays in the taskbar, minimised.',
}

/** What was found of one part, and what to do about it. */
export function setUpWords({ part, found, code }: SetUpCheck): string {
  if (code !== null) {
    const { what, todo } = errorWords({ code, message: '' })
    return `${what} ${todo}`
  }
  return { good: fine, bad: wrong, absent: done, unknown: untold }[found][part] ?? untold[part]
}

export const setUpHeads: Record<SetUpCheck['found'], string> = {
  good: 'Good',
  bad: 'Needs you',
  absent: 'Not needed',
  unknown: 'Can’t tell',
}

export const diagnosticsWords = {
  title: 'When something doesn’t work',
  check: 'Check my set-up',
  parts: 'Set-up',
  address: 'With the service’s address',
  hint: 'Diagnostics hold versions, states and counts; no key, no password, no website.',
  copy: 'Copy diagnostics',
  copied: 'Diagnostics were copied.',
}
