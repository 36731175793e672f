// @ts-check
/**
 * `npm run screenshot`: starts the app with throw-away data, looks at the sample data and takes a picture of each screen,
 * light and dark, into docs/pictures (`--out FOLDER`). `--all`: also of each screen in each situation of
 * screenshot/situations.mjs in which it looks otherwise, `--only NAME` of that one alone. `--port N`: one picture of an app that runs already
 * (`npm start -- --remote-debugging-port=N`), into siteward.png (`--out FILE`).
 */
import { run } from './run.mjs'
import { announceRuntime } from './runtime.mjs'
import { runScript, setup } from './setup.mjs'
import { inProject, projectNode, root } from './setup/project.mjs'

await runScript(async () => {
  const args = process.argv.slice(2)
  const isRunning = args.some((argument) => argument.startsWith('--port'))
  await setup(isRunning ? {} : { need: ['build', 'test'] })
  if (!isRunning) await announceRuntime()
  const take = inProject('scripts', 'screenshot', 'take.ts')
  process.exitCode = await run(projectNode, ['--no-warnings', take, ...args], { cwd: root })
})
