import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Lets only the user access a folder and everything in it. On Windows, a user's folders are private by default. */
export function makePrivate(folder: string, platform: NodeJS.Platform = process.platform): void {
  if (platform === 'win32') return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  restrict(folder)
}

/** Skips what cannot be changed. */
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
