// @ts-check
/** `npm run dist [-- --linux deb --x64 …]`: the installers of this system, in dist/; arguments go to electron-builder. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledLicences, inOneText, licenceOf, shippedPackages } from './licences.mjs'
import { run } from './run.mjs'
import { inProject, projectNode, root, toolEnv } from './setup/project.mjs'
import { runScript, setup } from './setup.mjs'

await runScript(async () => {
  await setup({ need: ['build'] })
  const bundled = ['preload', 'renderer'].flatMap((part) =>
    bundledLicences(readFileSync(inProject('out', part, 'licences.json'), 'utf8')),
  )
  mkdirSync(inProject('.cache'), { recursive: true })
  writeFileSync(inProject('.cache', 'licences.txt'), inOneText([...shippedPackages(root).map(licenceOf), ...bundled]))
  const builder = join(root, 'node_modules', 'electron-builder', 'cli.js')
  const args = ['--config', 'electron-builder.config.mjs', '--publish', 'never', ...process.argv.slice(2)]
  process.exitCode = await run(projectNode, [builder, ...args], { cwd: root, env: toolEnv() })
})
