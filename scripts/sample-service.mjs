// @ts-check
/** `npm run sample-service`: runs the sample service on the project's own Node. */
import { run } from './run.mjs'
import { runScript, setup } from './setup.mjs'
import { inProject, projectNode } from './setup/project.mjs'
import { readSwitches } from './switches.mjs'

const USAGE = `npm run sample-service -- [--port P] [--websites N] [--rate R] [--key K] [--file F]

  --port      0 to 65535; 0, the default, takes one that is free
  --websites  0 to 100000; default 428
  --rate      requests a minute; default 60, 0 for no limit
  --key       the API key; default a new one at each start
  --file      a file that keeps the changes for the next start; without one they are lost
  --help      shows this`

const options = /** @type {const} */ ({
  port: { type: 'string', default: '0' },
  websites: { type: 'string', default: '428' },
  rate: { type: 'string', default: '60' },
  key: { type: 'string', default: '' },
  file: { type: 'string', default: '' },
})
const limits = { port: 65_535, websites: 100_000, rate: 1_000_000 }
const { port, websites, rate, key, file } = readSwitches(USAGE, options, limits)
await runScript(async () => {
  await setup()
  const cli = inProject('src', 'main', 'sample', 'cli.ts')
  process.exitCode = await run(projectNode, [cli, port, websites, rate, key, file])
})
