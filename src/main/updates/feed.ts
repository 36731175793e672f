import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownImage } from './app-image.ts'

/** What tells how the app was built, installed and started. */
export interface Installation {
  isPackaged: boolean
  /** Electron's `resources` folder. */
  resources: string
  /** The running binary. */
  program: string
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
}

/**
 * Whether the app may look for newer versions of itself: it was built with a feed (electron-builder writes
 * `app-update.yml`, one `name: value` in a line), and what it would fetch there can be verified. What isn't understood is
 * no feed.
 */
export function hasFeed({ isPackaged, resources, program, platform, env }: Installation): boolean {
  if (!isPackaged) return false
  const feed = read(join(resources, 'app-update.yml'))
  if (!/^provider: generic$/m.test(feed) || !/^url: https:\/\//m.test(feed)) return false
  // Without a name to look for, electron-updater takes an installer that nobody signed (NsisUpdater.verifySignature).
  if (platform === 'win32') return /^publisherName:/m.test(feed)
  if (platform === 'darwin') return true
  // A deb or an rpm is for the system's package manager: updating it here would mean to ask for root, and to give it to a
  // package without a signature. An AppImage is replaced as the person.
  return ownImage(program, env) !== null && !existsSync(join(resources, 'package-type'))
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
