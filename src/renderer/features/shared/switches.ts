import { m } from '../../../messages/index.ts'
import { joinSentences } from '../../../shared/display/format.ts'
import type { Settings } from '../../../shared/state.ts'
import { isOnLinux, isOnMac } from '../../lib/keys.ts'

/** The settings that are on or off. */
type Switch = { [N in keyof Settings]: Settings[N] extends boolean ? N : never }[keyof Settings]

/** Switches of the settings under one heading. */
export interface SwitchGroup {
  name: () => string
  switches: { setting: Switch; label: () => string; hint: () => string }[]
}

/** Returns the label of the switch that hides the tray icon, by the name that the system has for it. */
export const hideTrayLabel = (): string => (isOnMac() ? m.settings_hide_menu_bar() : m.settings_hide_tray())

/** The common on/off settings, in the order of the screen. */
export const switchGroups: SwitchGroup[] = [
  {
    name: m.settings_sending,
    switches: [{ setting: 'paused', label: m.settings_pause, hint: m.settings_pause_hint }],
  },
  {
    name: m.settings_start,
    switches: [{ setting: 'startWithSession', label: m.settings_autostart, hint: m.settings_autostart_hint }],
  },
  {
    name: m.settings_notifications,
    switches: [
      { setting: 'notifySent', label: m.settings_notify_sent, hint: m.settings_notify_sent_hint },
      { setting: 'notifyParked', label: m.settings_notify_parked, hint: m.settings_notify_parked_hint },
      { setting: 'notifyKey', label: m.settings_notify_key, hint: m.settings_notify_key_hint },
      { setting: 'notifyDeleted', label: m.settings_notify_deleted, hint: m.settings_notify_deleted_hint },
      { setting: 'notifyPublished', label: m.settings_notify_published, hint: m.settings_notify_published_hint },
      { setting: 'notifyChanged', label: m.settings_notify_changed, hint: m.settings_notify_changed_hint },
    ],
  },
]

/** The on/off settings under "Advanced". */
export const advancedSwitches: SwitchGroup[] = [
  {
    name: m.settings_window,
    switches: [
      {
        setting: 'keepWindow',
        label: m.settings_keep_window,
        // Only a desktop of Linux may not show tray icons.
        hint: () =>
          joinSentences([
            isOnMac() ? m.settings_keep_window_hint_dock() : m.settings_keep_window_hint(),
            isOnLinux() && m.settings_keep_window_hint_tray(),
          ]),
      },
      {
        setting: 'hideTray',
        label: hideTrayLabel,
        hint: m.settings_hide_tray_hint,
      },
    ],
  },
]
