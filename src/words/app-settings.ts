import type { Settings } from '../shared/state.ts'

/** A setting that is on or off. */
type Switch = { [N in keyof Settings]: Settings[N] extends boolean ? N : never }[keyof Settings]

interface Row {
  setting: Switch
  label: string
  hint: string
}

/** The settings that are on or off, as the screen lists them. */
export const switchGroups: { name: string; switches: Row[] }[] = [
  {
    name: 'Sending',
    switches: [
      {
        setting: 'paused',
        label: 'Pause sending',
        hint: 'Changes are kept on this computer, and sent when you resume. What others change is still read.',
      },
    ],
  },
  {
    name: 'Start and window',
    switches: [
      {
        setting: 'startWithSession',
        label: 'Start when I log in',
        hint: 'Siteward starts in the tray, without its window.',
      },
      {
        setting: 'keepWindow',
        label: 'Keep the window in the taskbar',
        hint: 'Closing it minimises it, as it does anyway where no panel shows the icon.',
      },
    ],
  },
  {
    name: 'Notifications',
    switches: [
      {
        setting: 'notifySent',
        label: 'When everything is sent',
        hint: 'Once what waited has gone out. No notification comes while you look at the window.',
      },
      { setting: 'notifyParked', label: 'When a change needs you', hint: 'One for all of them, not one for each.' },
      { setting: 'notifyKey', label: 'When the service refuses the API key', hint: 'Nothing can be sent without it.' },
    ],
  },
]

export const settingsWords = {
  title: 'Settings',
  look: 'Appearance',
  theme: 'Theme',
  themeHint: 'System follows what this computer is set to.',
  textSize: 'Text size',
  textSizeHint: 'Of the size that this computer is set to. Everything else grows with it.',
  about: 'About Siteward',
  version: 'Version',
  runtime: 'Runtime',
  folder: 'Data folder',
}

export const themeOptions: readonly { value: Settings['theme']; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export const percentWords = (size: Settings['textSize']): string => `${size} %`

/** For the palette: what doing it makes of one that is on, or off. */
export const turnWords = (label: string, on: boolean): string => `Turn ${on ? 'off' : 'on'}: ${label}`
