// @ts-check
/**
 * `npm start [-- SWITCHES]` sets up what is missing and opens the app. `--dev` (npm run dev) enables hot reload;
 * `--fetch-electron` tries the download of the official Electron again. All other switches go to the app.
 */
import { run } from './run.mjs'
import { obtainRuntime } from './runtime.mjs'
import { forgetBundles } from './setup/bundles.mjs'
import { projectNode, root, toolEnv, tools } from './setup/project.mjs'
import { reportSetupTime, runScript, setup } from './setup.mjs'
import { lacksDisplay, startXvfb } from './xvfb.mjs'

const ours = ['--dev', '--fetch-electron']

/** @param {string} line */
const say = (line) => console.log(`start: ${line}`)

/**
 * @param {import('./runtime.mjs').Runtime} runtime
 * @param {boolean} dev
 * @param {readonly string[]} switches
 */
const commandFor = (runtime, dev, switches) =>
  dev
    ? { command: projectNode, args: [tools.electronVite, 'dev', '--watch', '--', ...runtime.args, ...switches] }
    : { command: runtime.executable, args: [...runtime.args, root, ...switches] }

await runScript(async () => {
  const options = process.argv.slice(2)
  const dev = options.includes('--dev')
  // Development needs no build beforehand, because electron-vite builds at each change.
  await setup({ need: dev ? ['run'] : ['run', 'build'] })
  const runtime = await obtainRuntime({ again: options.includes('--fetch-electron'), say })
  reportSetupTime()
  say(`on ${runtime.name}`)
  const hasNoDisplay = lacksDisplay()
  if (hasNoDisplay) say('there is no display, so it runs unseen under Xvfb; `npm run screenshot` takes pictures')
  const display = hasNoDisplay ? await startXvfb() : null

  say('the app opens now; Ctrl+C ends it')

  // Marks the bundles as outdated, because the development build stays in out/.
  if (dev) forgetBundles()
  const switches = options.filter((argument) => !ours.includes(argument))
  const { command, args } = commandFor(runtime, dev, switches)
  const env = { ...toolEnv(), ...display?.env, ...(dev && { ELECTRON_EXEC_PATH: runtime.executable }) }
  process.exitCode = await run(command, args, { cwd: root, env }).finally(() => display?.stop())
})
