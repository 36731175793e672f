import { createPackage } from '@electron/asar'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inProject, projectNode, root } from '../../scripts/setup/project.mjs'
import { writeElectronStandIn } from '../e2e/support/electron-stand-in.ts'
import { buildBareApp } from './desktop.ts'
import type { Figure } from './measure.ts'

/** Measures the compressed size of everything in an installer but Electron: the archive and the native modules. */
export async function size(): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-size-'))
  try {
    const electron = join(folder, 'electron')
    writeElectronStandIn(electron)
    const output = join(folder, 'dist')
    const switches = ['--linux', 'dir', '--x64', `-c.electronDist=${electron}`, `-c.directories.output=${output}`]
    execFileSync(projectNode, [inProject('scripts', 'dist.mjs'), ...switches], { cwd: root, stdio: 'pipe' })
    const bare = join(folder, 'bare')
    mkdirSync(bare)
    await createPackage(await buildBareApp(join(folder, 'bare-app')), join(bare, 'app.asar'))
    return {
      what: 'size of an installer, without Electron itself',
      ours: [compressed(join(output, 'linux-unpacked', 'resources'))],
      baseline: [compressed(bare)],
      against: 'the bare Electron app with a Svelte window',
      unit: 'MB',
      goal: { more: 4 },
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns the compressed size in MB of the app's own files in a folder of resources. */
function compressed(resources: string): number {
  const parts = ['app.asar', 'app.asar.unpacked', 'licences.txt'].filter((part) => existsSync(join(resources, part)))
  const file = `${resources}.tar.xz`
  execFileSync('tar', ['-cJf', file, '-C', resources, ...parts])
  return statSync(file).size / 2 ** 20
}
