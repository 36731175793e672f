import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runningAppImage } from './app-image.ts'

/** How and where the running app is installed. */
export interface Installation {
  isPackaged: boolean
  /** Path of Electron's `resources` folder. */
  resources: string
  /** Path of the running binary. */
  program: string
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
}

/**
 * True if the app was built with a known kind of feed (electron-builder writes `app-update.yml`, a `name: value` pair per line),
 * and a download can be verified.
 */
export function hasUpdateFeed({ isPackaged, resources, program, platform, env }: Installation): boolean {
  if (!isPackaged) return false
  const feed = read(join(resources, 'app-update.yml'))
  if (!/^provider: generic$/m.test(feed) || !/^url: https:\/\//m.test(feed)) return false
  // Without a publisher's name, electron-updater accepts an unsigned installer (NsisUpdater.verifySignature).
  if (platform === 'win32') return /^publisherName:/m.test(feed)
  if (platform === 'darwin') return true
  // A deb or an rpm is updated by the package manager: doing it here would give root rights to an unsigned package. An
  // AppImage is replaced with the user's own rights.
  return runningAppImage(program, env) !== null && !existsSync(join(resources, 'package-type'))
}

/** Empty if the file can't be read. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
