// @ts-check
/** `npm run dist [-- --linux deb --x64 …]`: the installers of this system, in dist/; arguments go to electron-builder. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
})
