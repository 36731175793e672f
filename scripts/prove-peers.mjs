// @ts-check
/** `npm run prove:peers`: runs the same schedules over other offline libraries and over ours, and counts what became of the edits. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { run } from './run.mjs'
import { runScript, setup } from './setup.mjs'
import { inProject, npm, projectNode, toolEnv } from './setup/project.mjs'

const USAGE = `npm run prove:peers -- [--schedules N] [--seed S] [--only NAME]

  --schedules  for each library; default 200
  --seed       of the first schedule; default 1
  --only       one library alone, as the table names it
  --help       shows this`

const COLUMNS = {
  edits: 'edits',
  lost: 'lost',
  silent: 'silently lost',
  falseFailure: 'false failure',
  reapplied: 're-applied',
  misordered: 'misordered',
  wrong: 'wrong final record',
  held: 'still held',
}

const NOTES = `lost: neither applied nor still held, and no later edit of the same field was
silently lost: lost, and nobody was told
false failure: reported as failed, but applied
re-applied: carried out by the service more than once
misordered: carried out by the service after a later edit of the same field, a late request included
wrong final record: at the end not what the last edit asked for that wasn't reported as failed, and nothing is held for it
still held: two hours, a restart and two hours more after the last fault`

const folder = inProject('test', 'peers')

/** The compared libraries are no dependencies of the project; they are installed when they are needed. */
const installPeers = async () => {
  if (existsSync(inProject('test', 'peers', 'node_modules', '.package-lock.json'))) return
  const { command, args, shell, env } = npm()
  const code = await run(command, [...args, 'ci', '--no-audit', '--no-fund'], { cwd: folder, shell, env })
  if (code !== 0) throw new Error('The libraries could not be installed.')
}

/**
 * @param {string[]} args
 * @returns {Promise<any>} the JSON in its last line
 */
const ask = (...args) =>
  new Promise((resolve, reject) => {
    const env = { ...toolEnv(), NODE_ENV: 'production' }
    const main = inProject('test', 'peers', 'main.mjs')
    const child = spawn(projectNode, ['--no-warnings', main, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part) => (text += part))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(text.trim().split('\n').at(-1) ?? ''))
      else reject(new Error(`${args[0] ?? ''} ended with ${code}`))
    })
  })

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      schedules: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const { schedules, seed, only } = values
  if (values.help) return console.log(USAGE)
  if (![schedules, seed].every((text) => /^\d{1,9}$/.test(text))) throw new Error(USAGE)
  await setup()
  await installPeers()
  /** @type {string[]} */
  const names = (await ask()).filter((/** @type {string} */ name) => only === undefined || name === only)
  /** @type {Map<string, Record<string, number>>} */
  const found = new Map()
  const queue = [...names]
  const worker = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift())
      found.set(name, await ask(name, schedules, seed))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))

  console.log(`${schedules} schedules for each, from seed ${seed}\n`)
  console.log(`| library | ${Object.values(COLUMNS).join(' | ')} |`)
  console.log(`| --- |${' ---: |'.repeat(Object.keys(COLUMNS).length)}`)
  for (const name of names)
    console.log(`| ${[name, ...Object.keys(COLUMNS).map((column) => found.get(name)?.[column] ?? 0)].join(' | ')} |`)
  console.log(`\n${NOTES}`)
})
