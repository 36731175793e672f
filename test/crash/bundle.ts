import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '..', '..')

/**
 * Bundles child/main.ts with its imports into one file, which halves the time of a start. Native modules are not bundled. The
 * file is within the project, because Node looks for them from there.
 */
export async function bundleChild(): Promise<string> {
  const outDir = join(root, '.cache', 'crash', randomUUID())
  mkdirSync(outDir, { recursive: true })
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['better-sqlite3', 'keytar'] },
    build: {
      ssr: join(import.meta.dirname, 'child', 'main.ts'),
      outDir,
      // The oldest Node version that must run the file.
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'child.js' } },
    },
  })
  return join(outDir, 'child.js')
}
