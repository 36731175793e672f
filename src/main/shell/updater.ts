import { app, autoUpdater } from 'electron'
import { once } from 'node:events'
import { makeStrict } from '../updates/strict.ts'
import type { Updater } from '../updates/updates.ts'

/** electron-updater with its checks on, over https alone. */
export async function loadUpdater(): Promise<Updater> {
  const { autoUpdater: updater } = (await import('electron-updater')).default
  // macOS' own verifies the signature when it's handed the file, and only then is it ready.
  const squirrel = process.platform === 'darwin' ? autoUpdater : null
  makeStrict(updater)
  // Elsewhere it's begun by us, once everything is closed in order.
  updater.autoInstallOnAppQuit = squirrel !== null
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
      // Where the download fails nobody waits for it.
      staged.catch(() => undefined)
      try {
        await Promise.all([updater.downloadUpdate(), staged])
      } finally {
        given.abort()
      }
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
