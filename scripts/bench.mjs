// @ts-check
/** `npm run bench`: start, memory, typing, scrolling and syncing, each beside a named baseline in the same run. */
import { run } from './run.mjs'
import { announceRuntime } from './runtime.mjs'
import { runScript, setup } from './setup.mjs'
import { inProject, projectNode, root, toolEnv } from './setup/project.mjs'

await runScript(async () => {
  await setup({ need: ['build', 'test'] })
  await announceRuntime()
  const args = ['--no-warnings', inProject('test', 'bench', 'main.ts'), ...process.argv.slice(2)]
  process.exitCode = await run(projectNode, args, { cwd: root, env: toolEnv() })
})
