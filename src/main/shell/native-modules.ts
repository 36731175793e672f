import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const packageSchema = z.object({ nativeModules: z.array(z.string()) })

/**
 * True if the build listed each native module of a packaged app in `package.json` (SHA-512, base64). Electron doesn't check
 * them, because they are outside the archive. Always true on macOS: signing changes the checksums there, and the system refuses
 * modules without the app's signature.
 */
export function hasOnlyListedNativeModules(archive: string, platform: NodeJS.Platform = process.platform): boolean {
  if (platform === 'darwin') return true
  try {
    const { nativeModules } = packageSchema.parse(JSON.parse(readFileSync(join(archive, 'package.json'), 'utf8')))
    const outside = `${archive}.unpacked`
    return readdirSync(outside, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.node'))
      .every((name) => nativeModules.includes(sha512(join(outside, name))))
  } catch {
    return false
  }
}

const sha512 = (file: string): string => createHash('sha512').update(readFileSync(file)).digest('base64')
