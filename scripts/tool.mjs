// @ts-check
/** `tool.mjs NAME SWITCHES…` sets up what a tool of the project needs, and runs the tool on the project's own Node. */
import { run } from './run.mjs'
import { announceRuntime } from './runtime.mjs'
import { reportSetupTime, runScript, setup } from './setup.mjs'
import { inProject, projectNode, root, toolEnv } from './setup/project.mjs'

/** `runsApp`: the tool runs the built app. */
const tools = /** @type {Record<string, { file: string, need?: import('./setup.mjs').Need[], runsApp?: boolean }>} */ ({
  bench: { file: 'test/bench/main.ts', need: ['build', 'test'], runsApp: true },
  fuzz: { file: 'test/fuzz/main.ts', need: ['build', 'test'], runsApp: true },
  prove: { file: 'test/simulation/prove.ts' },
  'prove:crash': { file: 'test/crash/prove.ts', need: ['test', 'power'], runsApp: true },
  'prove:peers': { file: 'test/peers/prove.mjs' },
  roundtrip: { file: 'test/roundtrip/main.ts' },
  screenshot: { file: 'scripts/screenshot/take.ts', need: ['build', 'test'], runsApp: true },
})

await runScript(async () => {
  const [name = '', ...switches] = process.argv.slice(2)
  const tool = tools[name]
  if (!tool) throw new Error(`There is no tool ${name}: ${Object.keys(tools).join(', ')}`)
  const pseudo = name === 'screenshot' && switches.includes('pseudo')
  await setup({ need: tool.need ?? [], pseudo })
  if (tool.runsApp) await announceRuntime()
  reportSetupTime()
  const args = ['--no-warnings', inProject(tool.file), ...switches]
  process.exitCode = await run(projectNode, args, { cwd: root, env: toolEnv() })
  if (pseudo) await setup({ need: tool.need ?? [] })
})
