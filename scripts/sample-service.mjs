// @ts-check
/** `npm run sample-service`: checks what was asked, then runs the TypeScript service on the project's own Node. */
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { run } from './run.mjs'
import { runScript, setup } from './setup.mjs'
import { inProject, projectNode } from './setup/project.mjs'

const USAGE = `npm run sample-service -- [--port P] [--websites N] [--rate R]

  --port      0 to 65535; 0, the default, takes one that is free
  --websites  0 to 100000; default 428
  --rate      requests a minute; default 60, 0 for no limit
  --help      shows this`

/**
 * @param {string[]} args
 * @throws {Error} whose message says what is wrong with them
 */
export const readArguments = (args) => {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '0' },
      websites: { type: 'string', default: '428' },
      rate: { type: 'string', default: '60' },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    help: values.help,
    port: wholeNumber('--port', values.port, 65_535),
    websites: wholeNumber('--websites', values.websites, 100_000),
    rate: wholeNumber('--rate', values.rate, 1_000_000),
  }
}

/**
 * @param {string} name
 * @param {string} text
 * @param {number} most
 */
const wholeNumber = (name, text, most) => {
  if (/^\d{1,9}$/.test(text) && Number(text) <= most) return Number(text)
  throw new Error(`${name} takes a whole number from 0 to ${most}, not "${text}".`)
}

/** @returns {ReturnType<typeof readArguments> | undefined} undefined: they were wrong, and that was said */
const argumentsGiven = () => {
  try {
    return readArguments(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    process.exitCode = 2
    return undefined
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const given = argumentsGiven()
  if (given?.help) console.log(USAGE)
  else if (given) {
    await runScript(async () => {
      await setup()
      const service = inProject('src', 'main', 'sample', 'cli.ts')
      process.exitCode = await run(projectNode, [service, ...[given.port, given.websites, given.rate].map(String)])
    })
  }
}
