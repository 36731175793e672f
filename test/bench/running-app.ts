import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication, Page } from 'playwright'
import { launchApp, quitApp } from '../../scripts/launch.mjs'
import { root } from '../../scripts/setup/project.mjs'
import { startSampleService } from '../../src/main/sample/service.ts'
import { connect, withDesktop } from './desktop.ts'

/** The built app, in a copy of its own. */
export interface AppCopy {
  folder: string
  /** The folder that `app://bundle/` serves: what is put there, a window can show. */
  pages: string
}

/**
 * Runs the built app with the list of `websites` in its window. Nothing answers it any more:
 * what is shown is the last known list.
 */
export async function withRunningApp<T>(
  websites: number,
  use: (running: { app: ElectronApplication; page: Page; copy: AppCopy }) => Promise<T>,
): Promise<T> {
  return withDesktop(async ({ folder, env }) => {
    const service = await startSampleService({ websites, rate: 6000 })
    const copy = copyOfApp(folder)
    const { app, page } = await launchApp({ userData: join(folder, 'data'), env, folder: copy.folder })
    try {
      await connect(page, service, websites)
      await service.close()
      return await use({ app, page, copy })
    } finally {
      await quitApp(app)
    }
  })
}

export function copyOfApp(folder: string): AppCopy {
  const app = join(folder, 'app')
  for (const part of ['out', 'resources', 'package.json'])
    cpSync(join(root, part), join(app, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(app, 'node_modules'))
  return { folder: app, pages: join(app, 'out', 'renderer') }
}
