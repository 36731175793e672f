import { app, autoUpdater } from 'electron'
import { once } from 'node:events'
import type { Updater } from '../updates/updates.ts'

/** Takes the place of the number by which the updater would tell one installation from all others. */
const ANYBODY = { 'x-user-staging-id': '00000000-0000-0000-0000-000000000000' }

/** electron-updater with its checks on: nothing by itself, nothing older, no installer that fetches more, https alone. */
export async function loadUpdater(): Promise<Updater> {
  const { autoUpdater: updater } = (await import('electron-updater')).default
  // macOS' own verifies the signature when it's handed the file, and only then is it ready.
  const squirrel = process.platform === 'darwin' ? autoUpdater : null
  // Its log has addresses and paths.
  updater.logger = null
  updater.autoDownload = false
  updater.allowPrerelease = false
  updater.allowDowngrade = false
  updater.disableWebInstaller = true
  // Elsewhere it's begun by us, once everything is closed in order.
  updater.autoInstallOnAppQuit = squirrel !== null
  updater.requestHeaders = ANYBODY
  // No redirect away from it either: the checksums are the feed's word.
  updater.netSession.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !url.startsWith('https://') }))

  return {
    async check() {
      const found = await updater.checkForUpdates()
      return found?.isUpdateAvailable ? found.updateInfo.version : null
    },
    async download() {
      if (squirrel === null) return void (await updater.downloadUpdate())
      const given = new AbortController()
      const staged = once(squirrel, 'update-downloaded', { signal: given.signal })
      await Promise.all([updater.downloadUpdate(), staged]).finally(() => given.abort())
    },
    install(restart) {
      let failure: Error | null = null
      updater.once('error', (error) => (failure = error))
      // The new one would take itself for a second start.
      app.releaseSingleInstanceLock()
      updater.autoRunAppAfterInstall = restart
      updater.quitAndInstall(true, restart)
      if (failure !== null) throw failure
    },
  }
}
