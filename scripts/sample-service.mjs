// @ts-check
/** `npm run sample-service`: runs the sample service on the project's own Node. */
import { run } from './run.mjs'
import { runScript, setup } from './setup.mjs'
import { inProject, projectNode } from './setup/project.mjs'
import { readSwitches } from './switches.mjs'

const USAGE = `npm run sample-service -- [--port P] [--websites N] [--rate R]

  --port      0 to 65535; 0, the default, takes one that is free
  --websites  0 to 100000; default 428
  --rate      requests a minute; default 60, 0 for no limit
  --help      shows this`

const options = /** @type {const} */ ({
  port: { type: 'string', default: '0' },
  websites: { type: 'string', default: '428' },
  rate: { type: 'string', default: '60' },
})
const { port, websites, rate } = readSwitches(USAGE, options, { port: 65_535, websites: 100_000, rate: 1_000_000 })
await runScript(async () => {
  await setup()
  process.exitCode = await run(projectNode, [inProject('src', 'main', 'sample', 'cli.ts'), port, websites, rate])
})
