import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A stand-in for `xdg-open`, the program that opens links on a Linux desktop. It only records them. */
export interface LinkOpener {
  /** A folder to put at the start of the app's PATH. */
  folder: string
  opened(): string[]
  remove(): void
}

export function createLinkOpener(): LinkOpener {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-links-'))
  const file = join(folder, 'opened')
  const program = join(folder, 'xdg-open')
  writeFileSync(program, `#!/bin/sh\necho "$@" >> '${file}'\n`)
  chmodSync(program, 0o755)
  return {
    folder,
    opened: () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
