/** Signs the update files (`latest*.yml`) of the folder that is given, with the key in SITEWARD_RELEASE_KEY. */
import { sign } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { readRelease, signedBytes } from '../../src/main/updates/signature.ts'
import { releaseKey } from './key.mjs'

/** The function with which the installed app reads the update files. */
const { parseUpdateInfo } = createRequire(import.meta.url)('electron-updater/out/providers/Provider') as {
  parseUpdateInfo: (text: string, name: string, url: string) => unknown
}

const [folder = 'dist'] = process.argv.slice(2)
const key = releaseKey()
if (key === null) throw new Error('SITEWARD_RELEASE_KEY is not set')

for (const name of readdirSync(folder).filter((file) => /^latest.*\.yml$/.test(file))) {
  const path = join(folder, name)
  const text = readFileSync(path, 'utf8').replace(/^signature: .*\n/gm, '')
  const signature = sign(null, signedBytes(readRelease(parseUpdateInfo(text, name, name))), key.private)
  writeFileSync(path, `${text}signature: ${signature.toString('base64')}\n`)
}
