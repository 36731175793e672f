import { app, autoUpdater } from 'electron'
import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { UnverifiedUpdate, verifyFile, verifyRelease, type Release } from '../updates/signature.ts'
import { restrictUpdater } from '../updates/strict.ts'
import type { Updater } from '../updates/updates.ts'

/**
 * Adds to electron-updater's own checks: a release has to be signed with the release key, and the file has to be part of that
 * release after the download and again when it is installed. Uses https only.
 */
export async function loadUpdater(releaseKey: KeyObject): Promise<Updater> {
  const { autoUpdater: updater } = (await import('electron-updater')).default
  // On macOS, Electron's own updater verifies the app's signature when it receives the file. Only then is the update ready.
  const squirrel = process.platform === 'darwin' ? autoUpdater : null
  restrictUpdater(updater)
  // On other systems the app starts the installation itself, after it has closed everything.
  updater.autoInstallOnAppQuit = squirrel !== null
  updater.netSession.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !url.startsWith('https://') }))

  let release: Release | null = null
  let file: string | null = null

  /** Throws unless the downloaded file is part of the signed release. */
  function verifyDownload(): void {
    if (release === null || file === null) throw new UnverifiedUpdate('nothing was verified')
    verifyFile(file, release)
  }

  return {
    async check() {
      const found = await updater.checkForUpdates()
      if (!found?.isUpdateAvailable) return null
      // The next download gets what this check has found, so the release of an earlier check no longer counts.
      release = null
      release = verifyRelease(found.updateInfo, releaseKey)
      return release.version
    },
    async download() {
      if (release === null) throw new UnverifiedUpdate('nothing was verified')
      const controller = new AbortController()
      const staged = squirrel === null ? undefined : once(squirrel, 'update-downloaded', { signal: controller.signal })
      // If the download fails, nothing awaits this promise, and its rejection must not count as unhandled.
      staged?.catch(() => undefined)
      try {
        const [files] = await Promise.all([updater.downloadUpdate(), staged])
        file = files[0] ?? null
        verifyDownload()
      } finally {
        controller.abort()
      }
    },
    install(restart) {
      verifyDownload()
      let failure: Error | null = null
      updater.once('error', (error) => (failure = error))
      // Otherwise the new version would take itself for a second start.
      app.releaseSingleInstanceLock()
      updater.autoRunAppAfterInstall = restart
      updater.quitAndInstall(true, restart)
      if (failure !== null) throw failure
    },
  }
}
