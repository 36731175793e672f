import { Arch, build, Platform } from 'electron-builder'
import { readFileSync } from 'node:fs'
import config from '../../../electron-builder.config.mjs'
import { root } from '../../../scripts/setup/project.mjs'

/** What an installer of Linux is made by. */
export interface Installer {
  /** The launcher's entry. */
  entry: string
  /** What fpm is called with; an AppImage isn't made by it. */
  args: string[]
}

/**
 * What deb, rpm and AppImage, in this order, are made by of what is packed for Linux already, up to the tools that make them, which
 * electron-builder downloads.
 */
export async function installersOf(packed: string, output: string): Promise<Installer[]> {
  const made: Installer[] = []
  const take = async (told: unknown): Promise<boolean> => {
    if (Array.isArray(told)) {
      const [args, entry] = told as [string[], string]
      made.push({ args, entry: readFileSync(entry, 'utf8') })
    } else made.push({ args: [], entry: (told as { desktop: string }).desktop })
    return true
  }
  for (const target of ['deb', 'rpm', 'AppImage']) {
    await build({
      targets: Platform.LINUX.createTarget([target], Arch.x64),
      projectDir: root,
      config: { ...config, directories: { ...config.directories, output } },
      prepackaged: packed,
      publish: 'never',
      effectiveOptionComputed: take,
    })
  }
  return made
}
