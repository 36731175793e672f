import type { AppUpdater } from 'electron-updater'

/** Replaces the id by which the updater would identify this installation. */
const SHARED_ID = { 'x-user-staging-id': '00000000-0000-0000-0000-000000000000' }

/** Turns off automatic downloads, downgrades, pre-releases, web installers, the id of this installation, and the log. */
export function restrictUpdater(updater: AppUpdater): void {
  // Its log would contain addresses and paths.
  updater.logger = null
  updater.autoDownload = false
  updater.allowPrerelease = false
  updater.allowDowngrade = false
  updater.disableWebInstaller = true
  updater.requestHeaders = SHARED_ID
}
