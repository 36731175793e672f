// @ts-check
/**
 * `npm run dist [-- --linux deb --x64 …]`: builds the installers of this system into dist/, with a bill of materials
 * and signed checksums. Arguments go to electron-builder.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeChecksums } from './release/checksums.mjs'
import { releaseKey } from './release/key.mjs'
import { billOfMaterials } from './release/sbom.mjs'
import { bundledLicences, inOneText, licenceOf } from './licences.mjs'
import { run } from './run.mjs'
import { besideBundles, inProject, projectNode, root, toolEnv } from './setup/project.mjs'
import { runScript, setup } from './setup.mjs'

await runScript(async () => {
  await setup({ need: ['build'] })
  const bundled = ['main', 'preload', 'renderer'].flatMap((part) =>
    bundledLicences(readFileSync(inProject('out', part, 'licences.json'), 'utf8')),
  )
  const beside = besideBundles.map((name) => licenceOf(inProject('node_modules', name)))
  mkdirSync(inProject('.cache'), { recursive: true })
  writeFileSync(inProject('.cache', 'licences.txt'), inOneText([...beside, ...bundled]))
  const builder = join(root, 'node_modules', 'electron-builder', 'cli.js')
  const args = ['--config', 'electron-builder.config.mjs', '--publish', 'never', ...process.argv.slice(2)]
  process.exitCode = await run(projectNode, [builder, ...args], { cwd: root, env: toolEnv() })
  if (process.exitCode !== 0) return
  const bill = billOfMaterials()
  writeFileSync(join(outputFolder(), bill.name), bill.text)
  if (releaseKey() !== null && (await signUpdates()) !== 0) throw new Error('The update files could not be signed.')
  writeChecksums(outputFolder())
})

/** Signs the update files. Resolves to the exit code. */
function signUpdates() {
  const signing = ['--no-warnings', inProject('scripts', 'release', 'sign.ts'), outputFolder()]
  return run(projectNode, signing, { cwd: root, env: toolEnv() })
}

function outputFolder() {
  const option = '-c.directories.output='
  const argument = process.argv.find((arg) => arg.startsWith(option))
  return argument === undefined ? inProject('dist') : argument.slice(option.length)
}
