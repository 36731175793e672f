import { Variant } from '@jellybrick/dbus-next'
import { joinBus } from './bus.ts'

type ColorScheme = 'light' | 'dark'

export interface Appearance {
  set(scheme: ColorScheme): void
  stop(): Promise<void>
}

/** https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Settings.html */
const SETTINGS = 'org.freedesktop.portal.Settings'
const NAMESPACE = 'org.freedesktop.appearance'
const KEY = 'color-scheme'
const VALUES = { dark: 1, light: 2 }

/** Answers for the desktop on a session bus, which prefers light until a test sets the preference. */
export async function startAppearance(address: string): Promise<Appearance> {
  const bus = await joinBus(address)
  let now: ColorScheme = 'light'
  const value = (): Variant => new Variant('u', VALUES[now])
  await bus.serve('org.freedesktop.portal.Desktop', SETTINGS, {
    Read({ body: [, key] }) {
      if (key !== KEY) throw new Error('unknown setting')
      return ['v', new Variant('v', value())]
    },
    ReadAll: () => ['a{sa{sv}}', { [NAMESPACE]: { [KEY]: value() } }],
  })
  return {
    set(scheme) {
      now = scheme
      bus.emit('/org/freedesktop/portal/desktop', SETTINGS, 'SettingChanged', 'ssv', NAMESPACE, KEY, value())
    },
    stop: () => bus.leave(),
  }
}
