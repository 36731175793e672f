import { Arch, build, Platform } from 'electron-builder'
import { readFileSync } from 'node:fs'
import config from '../../../electron-builder.config.mjs'
import { root } from '../../../scripts/setup/project.mjs'

export interface Installer {
  entry: string
  /** Arguments of fpm. Empty for an AppImage, which fpm does not build. */
  args: string[]
}

/** Returns the input of deb, rpm and AppImage, in this order, without running the tools, which would be downloaded. */
export async function installersOf(packed: string, output: string): Promise<Installer[]> {
  const made: Installer[] = []
  const take = async (message: unknown): Promise<boolean> => {
    if (Array.isArray(message)) {
      const [args, entry] = message as [string[], string]
      made.push({ args, entry: readFileSync(entry, 'utf8') })
    } else made.push({ args: [], entry: (message as { desktop: string }).desktop })
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
