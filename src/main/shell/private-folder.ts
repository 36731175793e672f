import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Creates a folder that no other user of the computer can open, or removes the access of other users to an existing folder and
 * everything in it. On Windows the folders of a user are private by default.
 */
export function makePrivate(folder: string, platform: NodeJS.Platform = process.platform): void {
  if (platform === 'win32') return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  restrict(folder)
}

/** Removes the access of other users to a file, or to a folder with everything in it. Leaves out what cannot be changed. */
function restrict(path: string): void {
  try {
    const found = lstatSync(path)
    if (found.isDirectory()) {
      chmodSync(path, 0o700)
      for (const name of readdirSync(path)) restrict(join(path, name))
    } else if (found.isFile() && (found.mode & 0o077) !== 0) {
      chmodSync(path, found.mode & 0o700)
    }
  } catch {
    // Chromium may remove its temporary files at the same time; the folder itself protects the others.
  }
}
