import type { AppUpdater } from 'electron-updater'

/** Takes the place of the number by which the updater would tell one installation from all others. */
const ANYBODY = { 'x-user-staging-id': '00000000-0000-0000-0000-000000000000' }

/** Nothing by itself, nothing older, no installer that fetches more unverified, and no words to the console. */
export function makeStrict(updater: AppUpdater): void {
  // Its log has addresses and paths.
  updater.logger = null
  updater.autoDownload = false
  updater.allowPrerelease = false
  updater.allowDowngrade = false
  updater.disableWebInstaller = true
  updater.requestHeaders = ANYBODY
}
